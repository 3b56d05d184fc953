// Widgets in saved outputs: a page that is loaded again has a new Python, which knows none of them.

const WIDGET = "application/vnd.jupyter.widget-view+json";
const UNKNOWN = /^(Loading widget|Error displaying widget: model not found)/; // what JupyterLab's half of ipywidgets writes
const SENTENCE = "Run this cell to bring back what moves here: this page has a new Python.";

/** From now on, say so in place of a widget that Python does not know, or not yet. */
export function sayWhatBringsThemBack(renderers) {
  const kind = Object.getPrototypeOf(renderers.createRenderer(WIDGET)); // each notebook has renderers of its own, of one class
  const { renderModel } = kind;
  kind.renderModel = async function (model) {
    await renderModel.call(this, model);
    const unknown = UNKNOWN.test(this.node.textContent);
    this.node.classList.toggle("minigrad-unknown-widget", unknown);
    if (unknown) this.node.textContent = SENTENCE;
  };
}
