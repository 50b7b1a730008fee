// Starts `tilewright lsp` and connects it with the editor.

import * as vscode from "vscode";
import { LanguageClient, type ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("tilewright.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("tilewright")) await restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

async function start(): Promise<void> {
  client = new LanguageClient("tilewright", "Tilewright", serverOptions(), {
    documentSelector: [
      { scheme: "file", language: "tilewright" },
      { scheme: "untitled", language: "tilewright" },
    ],
    // A payload or an imported file that changes on disk changes what is found in schedules.
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{mlir,tw}") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const told = error instanceof Error ? error.message : String(error);
    const settings = "Open Settings";
    const chosen = await vscode.window.showErrorMessage(
      `tilewright lsp does not start: ${told}. Install it with pip install 'tilewright[lsp]', ` +
        "or say in the setting tilewright.command where it is.",
      settings,
    );
    if (chosen === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "tilewright.command");
    }
  }
}

function serverOptions(): ServerOptions {
  const settings = vscode.workspace.getConfiguration("tilewright");
  const [command = "tilewright", ...first] = settings.get<string[]>("command", ["tilewright"]);
  const payload = settings.get<string>("payload", "");
  const args = [...first, "lsp", ...(payload === "" ? [] : ["--payload", payload])];
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return { command, args, options: folder === undefined ? {} : { cwd: folder } };
}
