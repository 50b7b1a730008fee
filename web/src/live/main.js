import "../style/base.css";
import "./live.css";
import { h, pageData } from "../common/dom.js";
import { frame } from "../common/frame.js";

const data = pageData();
frame(data).append(h("p", { class: "empty" }, "Nothing to see yet."));
