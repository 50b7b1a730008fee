import "../style/base.css";
import "./tuning.css";
import { pageData } from "../common/dom.js";
import { frame } from "../common/frame.js";
import { followRun } from "./follow.js";
import { createTuningView } from "./view.js";

const data = { runs: [], outcomes: [], text: [], shown: null, source: "The file", ...pageData() };
if (data.poll) followRun(data);
else frame(data).append(createTuningView(data).element);
