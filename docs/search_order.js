// The order of what the search has: functions and classes by their names, then lessons, the first that has the word first.
// Members of classes, such as the property `adjoint`, come after lessons about the word.
var Scorer = {
  score: ([page, title, , , score, , kind]) => {
    const lesson = /^notebooks\/(\d\d)/.exec(page)
    return score + (lesson?.[1] > 0 ? 10 - lesson[1] / 4 : 0) - (kind === "object" && /\.[A-Z]\w*\.\w+$/.test(title) ? 15 : 0)
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0, // Sphinx's own from here on
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
}
