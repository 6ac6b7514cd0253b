import { type ReactNode, useEffect, useState } from 'react'
import { noteRevision } from '../api/connection.ts'
import { ApiProblem, toProblem } from '../api/problem.ts'
import { started } from '../api/start.ts'
import { type Me, storeMe } from '../session/me.ts'
import { followProfile } from '../session/page-language.ts'
import { stateTexts } from '../texts/en/state-texts.ts'
import { loadBranding } from './branding.ts'
import styles from './shell.module.css'
import { StartProblem } from './start-problem.tsx'

type Start = { kind: 'waiting' } | { kind: 'ready' } | { kind: 'failed'; problem: ApiProblem }

/** Shows the application as soon as the user is known. */
export function StartGate({ children }: { children: ReactNode }) {
  const [start, setStart] = useState<Start>({ kind: 'waiting' })
  useEffect(() => {
    readStart().then(setStart)
  }, [])
  if (start.kind === 'ready') return children
  return start.kind === 'failed' ? (
    <main className={styles.start}>
      <h1 className="visually-hidden">{stateTexts.product}</h1>
      <StartProblem problem={start.problem} />
    </main>
  ) : null
}

async function readStart(): Promise<Start> {
  try {
    const response = await started
    if (!response) return { kind: 'waiting' }
    if (!response.ok) return { kind: 'failed', problem: await toProblem(response) }
    noteRevision(response)
    const me = (await response.json()) as Me
    if (followProfile(me.locale)) {
      location.reload()
      return { kind: 'waiting' }
    }
    storeMe(me)
    await loadBranding(me.tenant.branding.primary_color)
    return { kind: 'ready' }
  } catch (error) {
    return { kind: 'failed', problem: error instanceof ApiProblem ? error : new ApiProblem(0, {}) }
  }
}
