import { importColumnTexts as texts } from '../../../texts/en/import-column-texts.ts'
import { textLanguage } from '../../../texts/language.ts'
import {
  type Draft,
  keepColumn,
  letterOf,
  setField,
  setOptions,
  setTransform,
  standardOptions,
} from '../model/draft.ts'
import type { Problem } from '../model/problems.ts'
import type { Transform } from '../model/types.ts'

type Fix = { label: string; change: (draft: Draft) => Draft }

/** The sentences of a problem: in the list, at its column, and what solves it. */
type ProblemText = { title: string; text: string; short: string; fixes: readonly Fix[] }

const { problems } = texts

export function describeProblem(problem: Problem, draft: Draft): ProblemText {
  const { columns } = problem
  const letterOfColumn = (name: string) => letterOf(draft.columns.findIndex(({ column }) => column === name))
  switch (problem.kind) {
    case 'duplicate': {
      const letters = new Intl.ListFormat(textLanguage()).format(columns.map(letterOfColumn))
      const keep = (column: string): Fix => ({
        label: texts.keep(letterOfColumn(column)),
        change: (before) => keepColumn(before, column),
      })
      const { title, text, short } = problems.duplicate
      return {
        title: title(problem.field),
        text: text(letters),
        short: short(problem.field, letters),
        fixes: columns.map(keep),
      }
    }
    case 'unreadable': {
      const { field, count, checked, example } = problem
      const { title, text, later } = problems.unreadable
      const sentence = text(field, count, checked)
      const short = example === undefined ? sentence : `${sentence} ${problems.unreadable.example(example)}`
      return { title: title(field), text: `${sentence} ${later}`, short, fixes: [] }
    }
    case 'ambiguous_dates': {
      const order = (transform: Transform): Fix => ({
        label: texts.transforms[transform],
        change: (before) => columns.reduce((one, column) => setTransform(one, column, transform), before),
      })
      const { title, text } = problems.ambiguous_dates
      return withTitle(title(problem.field), text, [order('date:dmy'), order('date:mdy')])
    }
    case 'unknown_field': {
      const { title, text } = problems.unknown_field
      const leaveOut = (column: string): Fix => ({
        label: texts.leaveOut,
        change: (before) => setField(before, column, null),
      })
      return withTitle(title(problem.field), text, columns.map(leaveOut))
    }
    case 'unmapped_match': {
      const { title, text } = problems.unmapped_match
      const { match_by } = standardOptions
      const fix: Fix = { label: texts.matchByEmail, change: (before) => setOptions(before, { match_by }) }
      return withTitle(title(problem.field), text, [fix])
    }
    default: {
      const { title, text } = problems[problem.kind]
      return withTitle(title, text, [])
    }
  }
}

const withTitle = (title: string, text: string, fixes: readonly Fix[]): ProblemText => ({
  title,
  text,
  short: title,
  fixes,
})
