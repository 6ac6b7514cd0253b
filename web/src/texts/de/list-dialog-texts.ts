import type { TextsOf } from './texts.ts'

export const listDialogTexts: TextsOf<'listDialogTexts'> = {
  saveViewTitle: 'Diese Ansicht speichern',
  viewName: 'Name der Ansicht',
  viewHint: 'Filter, Sortierung und Spalten werden für Sie gespeichert, in jedem Browser.',
  tooManyViews: (count) => `Sie haben ${count} Ansichten. Löschen Sie zuerst eine davon.`,
  viewSaved: (name) => `Die Ansicht ${name} wurde gespeichert.`,
  anyValue: 'Beliebig',
  between: 'Zwischen …',
  from: 'Von',
  to: 'Bis',
  apply: 'Anwenden',
  cancel: 'Abbrechen',
  lowest: 'Niedrigster Wert',
  highest: 'Höchster Wert',
  filterTitle: (filter) => `Filter ${filter} setzen`,
}
