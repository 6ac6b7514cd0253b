import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { sessionState } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { followedTasks, restoreTasks } from '../api/tasks.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { loadMenuPopup } from '../ui/menu.tsx'
import { showToast, Toasts } from '../ui/toast.tsx'
import { Banners } from './banners.tsx'
import { applyBranding } from './branding.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { useMe, useRefreshedMe } from './me.ts'
import { Dock, Navigation } from './navigation.tsx'
import { PageError } from './page-error.tsx'
import { preferences } from './preferences.ts'
import { passwordQuestion } from './reauthenticate.ts'
import styles from './shell.module.css'
import { areShortcutsShown, hideShortcuts } from './shortcuts.ts'
import { useShellCommands } from './use-shell-commands.ts'

const loadCommandMenu = () => import('./command-menu/command-menu.tsx')
const CommandMenu = lazy(() => loadCommandMenu().then((module) => ({ default: module.CommandMenu })))
const TaskStrip = lazy(() => import('./task-strip.tsx').then((module) => ({ default: module.TaskStrip })))
const ReauthenticationDialog = lazy(() =>
  import('./reauthentication-dialog.tsx').then((module) => ({ default: module.ReauthenticationDialog })),
)
const SessionDialogs = lazy(() =>
  import('./session-dialogs.tsx').then((module) => ({ default: module.SessionDialogs })),
)
const ShortcutsDialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)

const reportUnloadedPart = () =>
  showToast(shellTexts.partNotLoaded, {
    tone: 'failed',
    action: { label: shellTexts.reload, run: () => location.reload() },
  })

export function Shell() {
  const me = useMe()
  useRefreshedMe()
  const hasTasks = useStore(followedTasks).some(({ label }) => label)
  useEffect(restoreTasks, [])
  const { theme } = useStore(preferences)
  const question = useStore(passwordQuestion)
  const { pathname } = useLocation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  useShellCommands({ openMenu: () => setMenuOpen(true) })
  useEffect(() => applyBranding(me.tenant.branding.primary_color), [me, theme])
  useEffect(() => {
    const load = () => void Promise.all([loadMenuPopup(), loadCommandMenu()])
    const isIdle = requestIdleCallback(load, { timeout: 3_000 })
    return () => cancelIdleCallback(isIdle)
  }, [])
  return (
    <div className={styles.app}>
      <a href="#content" className={styles.skip}>
        {shellTexts.skip}
      </a>
      <Navigation openMenu={() => setMenuOpen(true)} />
      <div className={styles.frame}>
        <Banners />
        <main id="content" className={styles.main} tabIndex={-1}>
          <ErrorBoundary key={pathname} fallback={(error) => <PageError error={error} />}>
            <Suspense>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
        {hasTasks && (
          <ErrorBoundary onError={reportUnloadedPart}>
            <Suspense>
              <TaskStrip />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
      <Dock openMenu={() => setMenuOpen(true)} />
      {isMenuOpen && (
        <ErrorBoundary
          onError={() => {
            reportUnloadedPart()
            setMenuOpen(false)
          }}
        >
          <Suspense>
            <CommandMenu close={() => setMenuOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
      {useStore(areShortcutsShown) && (
        <ErrorBoundary
          onError={() => {
            reportUnloadedPart()
            hideShortcuts()
          }}
        >
          <Suspense>
            <ShortcutsDialog />
          </Suspense>
        </ErrorBoundary>
      )}
      {question && (
        <Suspense>
          <ReauthenticationDialog question={question} />
        </Suspense>
      )}
      {useStore(sessionState) === 'expired' && (
        <Suspense>
          <SessionDialogs />
        </Suspense>
      )}
      <Toasts />
    </div>
  )
}
