(function () {
  "use strict";
  var plots = Array.prototype.slice.call(document.querySelectorAll(".plot"));
  var config = JSON.parse(document.getElementById("plot-config").textContent);
  plots.forEach(function (plot) {
    var figure = JSON.parse(document.getElementById("figure-" + plot.dataset.figure).textContent);
    Plotly.newPlot(plot, figure.data, figure.layout, config);
  });
  function fit(width) {
    plots.forEach(function (plot) {
      Plotly.relayout(plot, width ? { width: width, autosize: false } : { width: null, autosize: true });
    });
  }
  window.addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details"), function (box) { box.open = true; });
    fit(660);
  });
  window.addEventListener("afterprint", function () { fit(null); });
})();
