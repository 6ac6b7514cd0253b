import type { MatrixResult } from './matrix-case.ts'

const maxFindings = 200

export function formatReport(name: string, { routes, cases, findings }: MatrixResult): string[] {
  const leaks = findings.filter(({ isLeak }) => isLeak).length
  const hidden = findings.length > maxFindings ? [`and ${findings.length - maxFindings} more`] : []
  return [
    ...findings.slice(0, maxFindings).map(({ isLeak, message }) => `${isLeak ? 'leak' : 'wrong'}: ${message}`),
    ...hidden,
    `${name}: ${cases} cases at ${routes} routes, ${leaks} leaks, ${findings.length - leaks} wrong`,
  ]
}
