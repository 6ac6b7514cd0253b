import { escapeHtml } from '#platform/html'
import type { FieldContext } from './choice-fields.ts'
import { attributes, warningIcon } from './html-parts.ts'
import { answerField } from './page-question.ts'

export const rowId = (question: string, row: number, column: number) => `${question}-${row}-${column}`

export function renderMatrix({ question, fields, problem, texts, ownLanguage }: FieldContext): string {
  const { rows = [], columns = [] } = question.rules
  const heads = columns.map(({ label }) => `<span>${escapeHtml(label)}</span>`)
  const firstMissing = problem?.missingRows[0]
  const rendered = rows.map((row, rowAt) => {
    const isMissing = problem?.missingRows.includes(row.key) ?? false
    const name = answerField(question.key, row.key)
    const cells = columns.map((column, at) => {
      const input = attributes({
        type: 'radio',
        name,
        value: column.key,
        id: rowId(question.key, rowAt, at),
        checked: fields[name] === column.key,
        required: question.required,
        autofocus: at === 0 && row.key === firstMissing,
      })
      return `<label class="answer"><input${input}><span class="dot"><i></i><em>${escapeHtml(column.label)}</em></span></label>`
    })
    const problemId = `${question.key}-${rowAt}-problem`
    const set = attributes({
      class: isMissing ? 'missing' : undefined,
      'aria-describedby': isMissing ? problemId : undefined,
    })
    const message = isMissing
      ? `<p${attributes({ class: 'error', id: problemId, lang: ownLanguage })}>${warningIcon(16)}${texts.problems.row}</p>`
      : ''
    return `<fieldset${set}><legend>${escapeHtml(row.label)}</legend>${cells.join('')}${message}</fieldset>`
  })
  return `<div class="answers matrix columns-${columns.length}"><div class="matrix-columns" aria-hidden="true"><span></span>${heads.join('')}</div>${rendered.join('')}</div>`
}
