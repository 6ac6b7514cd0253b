import type { Defect } from './defect.ts'

export const inputDefects: readonly Defect[] = [
  {
    name: 'an unescaped value on a public page',
    file: 'src/modules/email/unsubscribe/unsubscribe-page.ts',
    find: 'escapeHtml(before)',
    replace: 'before',
    tests: ['src/modules/email/unsubscribe/unsubscribe.test.ts'],
  },
  {
    name: 'an unescaped formula in a CSV file',
    file: 'src/platform/csv/formula-escape.ts',
    find: "const formula = /^'*[=+\\-@\\t\\r\\0]/",
    replace: "const formula = /^'*[+\\-@\\t\\r\\0]/",
    tests: ['src/platform/csv/csv.test.ts'],
  },
  {
    name: 'a secret in a log line',
    file: 'src/platform/telemetry/log.ts',
    find: '|secret|token|authori',
    replace: '|secret|authori',
    tests: ['src/platform/telemetry/log.test.ts'],
  },
  {
    name: 'a file of a type that is not accepted',
    file: 'src/platform/files/inspect-content.ts',
    find: 'if (!accepts.includes(group)) throw',
    replace: 'if (!accepts.length) throw',
    tests: ['src/platform/files/upload-file.test.ts'],
  },
  {
    name: 'a rate limit that never refuses',
    file: 'src/platform/limits/rate-limiter.ts',
    find: 'const allowed = canTake(draw, debtUs)',
    replace: 'const allowed = true',
    tests: ['src/platform/limits/rate-limiter.test.ts'],
  },
  {
    name: 'a response of 500 for invalid input',
    file: 'src/platform/http/problem.ts',
    find: '  if (error.validation) return invalidInput(collectInputErrors(request, error))\n',
    replace: '',
    tests: ['src/platform/http/http.test.ts'],
  },
]
