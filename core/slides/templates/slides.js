(function () {
  "use strict";
  var root = document.documentElement;
  var slides = all(".slide"), notes = all(".notes"), floor = document.querySelector(".floor");
  var range = floor && floor.querySelector("input"), tests = floor && floor.querySelector("select");
  var steps = floor ? JSON.parse(document.getElementById("floor-steps").textContent) : [];
  var place = 0, timer = 0;
  root.classList.add("live");
  notes.forEach(function (one) { one.hidden = false; });
  function all(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }
  function button(name) { return document.querySelector("button[name=" + name + "]"); }
  function show(index) {
    place = Math.max(0, Math.min(slides.length - 1, index));
    slides.forEach(function (one, i) { one.classList.toggle("current", i === place); });
    notes.forEach(function (one, i) { one.classList.toggle("current", i === place); });
    document.querySelector(".place").textContent = (place + 1) + " / " + slides.length;
  }
  function wake() {
    root.classList.add("awake");
    clearTimeout(timer);
    timer = setTimeout(function () { root.classList.remove("awake"); }, 2500);
  }
  function toggle(name, shown) {
    var on = root.classList.toggle(shown);
    button(name).setAttribute("aria-pressed", String(on));
    return on;
  }
  function note() { toggle("notes", "noted"); }
  function full() {
    if (document.fullscreenElement) { document.exitFullscreen(); }
    else if (root.requestFullscreen) { root.requestFullscreen().catch(function () {}); }
  }
  function ask() {
    if (!floor) { return; }
    floor.hidden = !toggle("floor", "asking");
    if (!floor.hidden) { range.focus(); }
  }
  function test() { return steps[tests ? Number(tests.value) : 0]; }
  function own() {
    range.max = test().length - 1;
    range.value = test().findIndex(function (step) { return step.own; });
    tell();
  }
  function tell() {
    var step = test()[Number(range.value)];
    floor.querySelector("output").textContent = step.told;
    range.setAttribute("aria-valuetext", step.told);
    Object.keys(step.slides).forEach(function (key) {
      var page = document.getElementById(key).querySelector(".page"), foot = page.querySelector("footer");
      page.replaceChildren(document.getElementById("text-" + step.slides[key]).content.cloneNode(true), foot);
    });
    Object.keys(step.notes).forEach(function (key) {
      var kept = document.getElementById("text-" + step.notes[key]).content.cloneNode(true);
      document.querySelector('.notes[data-slide="' + key + '"]').replaceChildren(kept);
    });
  }
  var keys = {
    ArrowRight: function () { show(place + 1); }, ArrowLeft: function () { show(place - 1); },
    ArrowDown: function () { show(place + 1); }, ArrowUp: function () { show(place - 1); },
    PageDown: function () { show(place + 1); }, PageUp: function () { show(place - 1); },
    " ": function () { show(place + 1); }, Home: function () { show(0); },
    End: function () { show(slides.length - 1); }, n: note, f: full, t: ask
  };
  document.addEventListener("keydown", function (event) {
    var kept = [[".floor", /^(Arrow|Home|End|Page| )/], [".notes", /^(ArrowUp|ArrowDown|Home|End|Page| )/], ["nav", /^ /]];
    var theirs = kept.some(function (one) {
      return event.target.closest && event.target.closest(one[0]) && one[1].test(event.key);
    });
    var key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (key === "Escape") {
      if (document.fullscreenElement) { document.exitFullscreen(); }
      if (root.classList.contains("asking")) { ask(); }
      if (root.classList.contains("noted")) { note(); }
    } else if (keys[key] && !theirs) {
      event.preventDefault();
      keys[key]();
    }
  });
  button("previous").addEventListener("click", keys.ArrowLeft);
  button("next").addEventListener("click", keys.ArrowRight);
  button("notes").addEventListener("click", note);
  button("full").addEventListener("click", full);
  ["mousemove", "touchstart", "focusin"].forEach(function (name) { document.addEventListener(name, wake); });
  if (floor) {
    button("floor").addEventListener("click", ask);
    button("own").addEventListener("click", own);
    range.addEventListener("input", tell);
    if (tests) { tests.addEventListener("change", own); }
    floor.addEventListener("submit", function (event) { event.preventDefault(); });
    own();
  }
  show(0);
})();
