// The part of a live widget that runs in the notebook: a frame with the page, and the messages between
// the page and Python. The page's own policy and the frame keep it away from the notebook.

export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.title = model.get("title");
    frame.setAttribute("sandbox", "allow-scripts");
    frame.style.cssText = `width:100%;height:${model.get("height")}px;border:1px solid #8884`;
    frame.srcdoc = model.get("page");

    const fromPage = ({ source, data }) => {
      if (source !== frame.contentWindow || data?.tilewright !== "point") return;
      model.set("point", data.point);
      model.save_changes();
    };
    const toPage = () => {
      frame.contentWindow?.postMessage({ tilewright: "data", data: model.get("data") }, "*");
    };
    addEventListener("message", fromPage);
    model.on("change:data", toPage);
    el.append(frame);
    return () => {
      removeEventListener("message", fromPage);
      model.off("change:data", toPage);
    };
  },
};
