(function () {
  "use strict";
  var all = function (selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); };
  var plots = all(".plot");
  var config = JSON.parse(document.getElementById("plot-config").textContent);
  var PRINTED = { width: 660, height: 840, scale: 0.7 };
  plots.forEach(function (plot) {
    var figure = JSON.parse(document.getElementById("figure-" + plot.dataset.figure).textContent);
    plot.dataset.height = figure.layout.height || 400;
    Plotly.newPlot(plot, figure.data, figure.layout, config);
    plot.after(row(["png", "svg"].map(function (format) {
      return button(saving(format), function () { savePlot(plot, format); });
    })));
  });
  all("table").forEach(function (table) {
    table.parentElement.after(row([button(saving("csv"), function () { saveTable(table); })]));
  });
  function saving(format) { return document.body.dataset.save.replace("{format}", format.toUpperCase()); }
  function row(buttons) {
    var made = document.createElement("div");
    made.className = "save";
    buttons.forEach(function (one) { made.appendChild(one); });
    return made;
  }
  function button(text, act) {
    var made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  }
  function named(text) {
    return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "report";
  }
  function savePlot(plot, format) {
    var above = 34, margin = Object.assign({}, plot.layout.margin);
    margin.t = (margin.t || 0) + above;
    var said = (plot.dataset.title + " · " + document.title + " · Evenhand").replace(/</g, "&lt;");
    var layout = Object.assign({}, plot.layout, {
      paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff", margin: margin,
      title: { text: said, x: 0.01, xanchor: "left", y: 1, yref: "container", yanchor: "top", pad: { t: 8 }, font: { size: 12 } }
    });
    Plotly.downloadImage({ data: plot.data, layout: layout, config: config }, {
      format: format, width: 1000, height: Number(plot.dataset.height) + above, scale: format === "png" ? 2 : 1,
      filename: named(document.title) + "_" + named(plot.dataset.name)
    });
  }
  function cell(text) {
    var plain = text.replace(/\s+/g, " ").trim();
    var number = /^[-+]?[\d.,]+ ?%?$/.test(plain);
    if (/^[=+\-@\t\r]/.test(plain) && !number) { plain = "'" + plain; }
    return '"' + plain.replace(/"/g, '""') + '"';
  }
  function saveTable(table) {
    var rows = all("tr", table).map(function (line) {
      return Array.prototype.map.call(line.cells, function (one) { return cell(one.textContent); }).join(",");
    });
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff" + rows.join("\r\n") + "\r\n"], { type: "text/csv" }));
    link.download = named(document.title) + "_" + named(table.caption ? table.caption.textContent : "") + ".csv";
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  }
  function fit(paper) {
    plots.forEach(function (plot) {
      var height = Number(plot.dataset.height);
      var scale = paper ? Math.min(paper.scale, paper.height / height) : 1;
      plot.style.zoom = scale;
      Plotly.relayout(plot, paper
        ? { width: Math.round(paper.width / scale), height: height, autosize: false, "font.color": "#222222" }
        : { width: null, height: height, autosize: true, "font.color": null });
    });
  }
  all("details").forEach(function (box) {
    box.addEventListener("toggle", function () {
      if (box.open) { all(".plot", box).forEach(function (plot) { Plotly.Plots.resize(plot); }); }
    });
  });
  window.addEventListener("beforeprint", function () {
    all("details").forEach(function (box) { box.open = true; });
    fit(PRINTED);
  });
  window.addEventListener("afterprint", function () { fit(null); });
})();
