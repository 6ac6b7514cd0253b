import { type ReactNode, useEffect, useState } from 'react'
import { toProblem } from '../api/problem.ts'
import { started } from '../api/start.ts'
import { ProblemState } from '../patterns/states.tsx'
import { type Me, storeMe } from './me.ts'

type Start = { kind: 'waiting' } | { kind: 'ready' } | { kind: 'failed'; error: unknown }

/** Shows the application as soon as the user is known. */
export function StartGate({ children }: { children: ReactNode }) {
  const [start, setStart] = useState<Start>({ kind: 'waiting' })
  useEffect(() => {
    readStart().then(setStart)
  }, [])
  if (start.kind === 'ready') return children
  return start.kind === 'failed' ? <ProblemState error={start.error} retry={() => location.reload()} /> : null
}

async function readStart(): Promise<Start> {
  try {
    const response = await started
    if (!response) return { kind: 'waiting' }
    if (!response.ok) return { kind: 'failed', error: await toProblem(response) }
    storeMe((await response.json()) as Me)
    return { kind: 'ready' }
  } catch (error) {
    return { kind: 'failed', error }
  }
}
