// The editor: CodeMirror, in the colours of explore.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "light-dark(#96005a, #ff94cb)" },
  { tag: [tags.number, tags.bool], color: "light-dark(#0072b2, #79c3f5)" },
  { tag: tags.string, color: "light-dark(#8a4a00, #ffb57a)" },
  { tag: tags.comment, color: "var(--grey)", fontStyle: "italic" },
  { tag: tags.function(tags.definition(tags.variableName)), fontWeight: "600" },
]);
const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--color-background-primary)" },
  ".cm-content": { caretColor: "var(--ink)", fontFamily: "ui-monospace, monospace" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--grey)", backgroundColor: "var(--color-background-secondary)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "light-dark(#0072b20d, #79c3f51a)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "light-dark(#cfe6f5, #1c4a69) !important" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--color-background-secondary)", borderColor: "var(--edge)" },
});

export class Editor {
  /** In `place`; onTyped(text) is called after each change by hand. */
  constructor(place, onTyped) {
    this.view = new EditorView({
      parent: place,
      state: EditorState.create({
        extensions: [
          lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), python(), theme,
          indentUnit.of("    "), syntaxHighlighting(colours), EditorView.lineWrapping,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "Python function" }),
          EditorView.updateListener.of(update => {
            if (update.docChanged && !this.setting) onTyped(this.text);
          }),
        ],
      }),
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.setting = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.setting = false;
  }

  /** Underline a line, counted from 1, as the one with the mistake; none without a sentence. */
  mark(sentence, line) {
    const { doc } = this.view.state;
    const at = line && line <= doc.lines ? doc.line(line) : null;
    const marks = sentence && at ? [{ from: at.from + at.text.search(/\S|$/), to: at.to, severity: "error", message: sentence }] : [];
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }
}
