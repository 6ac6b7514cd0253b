import { Link } from '@tanstack/react-router'
import { CircleAlert, Copy, Lock, RotateCw, SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { isProblem } from '../api/problem.ts'
import { stateTexts } from '../texts/en/state-texts.ts'
import type { Hue } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import styles from './states.module.css'

/** The one layout of everything that a part shows instead of its data. */
export function State({
  icon,
  hue,
  title,
  children,
  actions,
}: {
  icon: ReactNode
  hue: Hue
  title: string
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={styles.state}>
      <span className={`${styles.disc} ${styles[hue]}`}>{icon}</span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** An error in one part of a page. The text follows the code; the request id helps support to find the cause. */
export function ProblemState({ error, part, retry }: { error: unknown; part?: string; retry?: () => void }) {
  const problem = isProblem(error) ? error : undefined
  if (problem?.status === 403) return <NoPermissionState area={part ?? stateTexts.thisPage} />
  const requestId = problem?.requestId
  return (
    <State
      icon={<CircleAlert size={20} />}
      hue="danger"
      title={part ? stateTexts.partFailed(part) : stateTexts.problem(problem?.code ?? 'unknown')}
      actions={
        <>
          {retry && (
            <Button icon={<RotateCw size={14} />} onClick={retry}>
              {stateTexts.retry}
            </Button>
          )}
          {requestId && (
            <Button
              variant="quiet"
              icon={<Copy size={14} />}
              onClick={() => void navigator.clipboard.writeText(requestId)}
            >
              {stateTexts.copyId}
            </Button>
          )}
        </>
      }
    >
      {part && stateTexts.problem(problem?.code ?? 'unknown')} {requestId && stateTexts.request(requestId)}
    </State>
  )
}

export const NoPermissionState = ({ area, scope }: { area: string; scope?: string }) => (
  <State icon={<Lock size={20} />} hue="warning" title={stateTexts.noPermission(area)} actions={<HomeLink />}>
    {scope ? stateTexts.needsScope(scope) : stateTexts.problem('scope_required')}
  </State>
)

/** The whole page, which then needs a heading of its own. */
export const NoPermissionPage = ({ area, scope }: { area: string; scope: string }) => (
  <>
    <h1 className="visually-hidden">{area}</h1>
    <NoPermissionState area={area} scope={scope} />
  </>
)

export const NotFoundState = ({ title, text }: { title?: string; text?: string }) => (
  <State icon={<SearchX size={20} />} hue="violet" title={title ?? stateTexts.notFound} actions={<HomeLink />}>
    {text ?? stateTexts.notFoundText}
  </State>
)

export const HomeLink = () => (
  <Link to="/" className={styles.link}>
    {stateTexts.toHome}
  </Link>
)

const skeletonDelayMs = 200

/** Nothing for a moment, then gray bars of the final size, because short waits look longer with a placeholder. */
export function Skeleton({ rows = 8 }: { rows?: number }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), skeletonDelayMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return <div aria-busy="true" />
  return (
    <div className={styles.skeleton} aria-busy="true">
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={styles.bones}>
          <span className={styles.round} />
          <span className={styles.bar} style={{ width: `${28 + ((at * 17) % 30)}%` }} />
          <span className={`${styles.bar} ${styles.short}`} />
        </div>
      ))}
    </div>
  )
}
