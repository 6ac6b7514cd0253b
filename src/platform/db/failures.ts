/** The name of the constraint a statement ran against, if that is why it failed. The code reacts to the name. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code?.startsWith('23') ? constraint : undefined
}

const away = /^(08|53|57P0)|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT)$/
const awayMessage = /connection (terminated|timeout|error|ended)|trying to connect|not queryable/i

/** The database did not answer: neither the caller nor the statement is to blame. */
export function isDatabaseAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return away.test(code) || awayMessage.test(message)
}

/** The statement or its wait for a lock took longer than the role allows. */
export function ranOutOfTime(error: unknown): boolean {
  return ['57014', '55P03', '25P03'].includes((error as { code?: string }).code ?? '')
}

/** Two transactions waited for each other, and this one had to give way. */
export const gotInTheWay = (error: unknown): boolean => (error as { code?: string }).code === '40P01'
