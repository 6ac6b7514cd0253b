import { AppError } from '#platform/errors'

/** Nothing was begun: whoever is told so may simply come back. */
export class LineIsFull extends AppError {
  constructor() {
    super(429, 'rate_limited', 'Too many people are signing in. Try again in a moment.', {
      headers: { 'retry-after': '2' },
    })
  }
}

/** So many at once, so many in line, and no more: whoever comes then is asked to come back. */
export function takingTurns({ atOnce, inLine }: { atOnce: number; inLine: number }) {
  let running = 0
  const waiting: (() => void)[] = []

  async function takeTurn(): Promise<void> {
    if (running < atOnce) {
      running++
      return
    }
    if (waiting.length >= inLine) throw new LineIsFull()
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function passTurnOn(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await takeTurn()
    try {
      return await work()
    } finally {
      passTurnOn()
    }
  }
}
