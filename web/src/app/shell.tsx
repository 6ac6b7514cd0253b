import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { sessionState } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { loadChanges } from '../patterns/preferences/change-later.ts'
import { useIdle } from '../patterns/use-idle.ts'
import { useMe, useRefreshedMe } from '../session/me.ts'
import { isDark } from '../session/preferences.ts'
import { passwordQuestion } from '../session/reauthenticate.ts'
import { areShortcutsShown, hideShortcuts } from '../session/shortcuts.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MenuPopup } from '../ui/menu.tsx'
import { Toasts } from '../ui/toast.tsx'
import { applyBranding } from './branding.ts'
import { Dock } from './navigation/dock.tsx'
import { Navigation } from './navigation/navigation.tsx'
import { useNavigation } from './navigation/use-navigation.ts'
import { PageError } from './page-error.tsx'
import styles from './shell.module.css'
import { useFocusedPage } from './use-focused-page.ts'
import { useShellCommands } from './use-shell-commands.ts'
import { UserMenuPopup } from './user-menu.tsx'

const Banners = lazyPart(() => import('./banners.tsx'), 'Banners')
const FocusQuestion = lazyPart(() => import('./navigation/focus-question.tsx'), 'FocusQuestion', {
  renderFailure: () => <Outlet />,
})
const CommandMenu = lazyPart(() => import('./command-menu/command-menu.tsx'), 'CommandMenu')
const TaskStrip = lazyPart(() => import('./task-strip.tsx'), 'TaskStrip')
const ReauthenticationDialog = lazyPart(() => import('./reauthentication-dialog.tsx'), 'ReauthenticationDialog')
const SessionDialogs = lazyPart(() => import('./session-dialogs.tsx'), 'SessionDialogs')
const ShortcutsDialog = lazyPart(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog')

/** The files that a session needs. They are loaded before the next version is installed or the connection is lost. */
const sessionParts = [MenuPopup, UserMenuPopup, CommandMenu, SessionDialogs, ReauthenticationDialog, ShortcutsDialog]

export function Shell() {
  const me = useMe()
  useRefreshedMe()
  const isDarkPage = useStore(isDark)
  const question = useStore(passwordQuestion)
  const { pathname } = useLocation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  useFocusedPage(main)
  useShellCommands({ openMenu: () => setMenuOpen(true) })
  const color = me.tenant.branding.primary_color
  useEffect(() => applyBranding(color, isDarkPage), [color, isDarkPage])
  useIdle(() => void Promise.allSettled([...sessionParts.map(({ load }) => load()), loadChanges()]))
  return (
    <div className={styles.app}>
      <a href="#content" className={styles.skip}>
        {shellTexts.skip}
      </a>
      <Navigation openMenu={() => setMenuOpen(true)} />
      <div className={styles.frame}>
        <Banners />
        <main ref={main} id="content" className={styles.main} tabIndex={-1}>
          <ErrorBoundary key={pathname} fallback={(error) => <PageError error={error} />}>
            <Suspense>
              <Page />
            </Suspense>
          </ErrorBoundary>
        </main>
        <div className={styles.foot}>
          <Toasts />
          <TaskStrip />
        </div>
      </div>
      <Dock openMenu={() => setMenuOpen(true)} />
      {isMenuOpen && <CommandMenu close={() => setMenuOpen(false)} />}
      {useStore(areShortcutsShown) && <ShortcutsDialog close={hideShortcuts} />}
      {question && <ReauthenticationDialog question={question} close={question.cancel} />}
      {useStore(sessionState) === 'expired' && <SessionDialogs />}
    </div>
  )
}

/** Asks for the focus instead of showing Home. */
function Page() {
  const { pathname } = useLocation()
  return useNavigation().isFocusAsked && pathname === '/' ? <FocusQuestion /> : <Outlet />
}
