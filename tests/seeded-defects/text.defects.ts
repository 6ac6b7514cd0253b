import type { Defect } from './defect.ts'

const patterns = 'tests/patterns/patterns.test.ts'
const hostile = 'tests/hostile/hostile.test.ts'
const environment = { HOSTILE_ONLY: 'sizes' }

export const textDefects: readonly Defect[] = [
  {
    name: 'exponential time for comments at the start of a file',
    file: 'src/platform/files/formats/markup.rules.ts',
    find: "  if (startsWithSvg(start)) return 'image/svg+xml'",
    replace: "  if (/^(<!--.*?-->\\s*)*<svg/s.test(start)) return 'image/svg+xml'",
    tests: ['src/platform/files/formats/markup.rules.test.ts', patterns, hostile],
    environment,
  },
  {
    name: 'exponential time for comments at the start of a logo',
    file: 'src/modules/identity/sign-in/pages/logo.rules.ts',
    find: '(isSvg(content) ?',
    replace: "(/^(<!--.*?-->\\s*)*<svg/s.test(content.toString('latin1')) ?",
    tests: ['src/modules/identity/sign-in/pages/logo.rules.test.ts', patterns],
  },
  {
    name: 'quadratic time for full stops in a row',
    file: 'src/modules/coaching/criteria/analyze-text.rules.ts',
    find: 'const sentenceMark = /[?!…]+|\\.+|[\\r\\n]+/g',
    replace: 'const sentenceMark = /[?!…]+|\\.+(?=\\s|$)|[\\r\\n]+/g',
    tests: ['src/modules/coaching/criteria/analyze-text.rules.test.ts', patterns, hostile],
    environment,
  },
  {
    name: 'cubic time for blanks in a cell with an amount',
    file: 'src/modules/crm/exchange/import-mapping/parse-cell.rules.ts',
    find: '  if (formattedTypes.includes(field.type) && text.trim().length > maxFormattedLength)',
    replace:
      "  if (field.type === 'money' && !/^(?:([A-Za-z]{3})\\s*)?([^A-Za-z]+?)\\s*([A-Za-z]{3})?$/.test(text.trim()))",
    tests: ['src/modules/crm/exchange/import-mapping/mapping.rules.test.ts', patterns, hostile],
    environment,
  },
  {
    name: 'custom field patterns of any size',
    file: 'src/modules/crm/records/custom-values/field-pattern.rules.ts',
    find: `const maxSize = 1_000
const maxRepetition = 50
/** A step is an instruction of a pattern for a character of a text. */
const maxSteps = 255_000`,
    replace: `const maxSize = Infinity
const maxRepetition = Infinity
const maxSteps = Infinity`,
    tests: ['src/modules/crm/records/custom-values/field-value.rules.test.ts', hostile],
    environment,
  },
]
