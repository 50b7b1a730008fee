// The whole program as a picture: ops as nodes, kernels as groups around them.

import { h } from "../common/dom.js";

/**
 * @param {object} _data the data of the page
 * @param {{onKernel?: (kernel: number) => void, onNode?: (node: number) => void}} [_options]
 * @returns {HTMLElement}
 */
export function drawProgram(_data, _options = {}) {
  return h("p", { class: "empty" }, "There is no picture of this program.");
}
