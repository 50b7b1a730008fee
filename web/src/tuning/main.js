import "../style/base.css";
import "./tuning.css";
import { h, pageData } from "../common/dom.js";
import { frame } from "../common/frame.js";

const data = pageData();
frame(data).append(h("p", { class: "empty" }, "Nothing to see yet."));
