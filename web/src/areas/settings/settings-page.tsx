import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { PageHeader } from '../../patterns/page-header.tsx'
import { NoPermissionState, NotFoundState } from '../../patterns/states.tsx'
import { useNarrow } from '../../patterns/use-narrow.ts'
import { usePageTitle } from '../../patterns/use-page-title.ts'
import { useCommands } from '../../session/commands.ts'
import { can, type Me, useMe } from '../../session/me.ts'
import { settingsTexts } from '../../texts/en/settings-texts.ts'
import { type Section, sections } from './sections.tsx'
import styles from './settings.module.css'
import { SignOutLink } from './sign-out-link.tsx'

/** The sections on the left and one of them on the right; on a phone the list and each section are separate pages. */
export function SettingsPage() {
  const me = useMe()
  const isNarrow = useNarrow()
  const navigate = useNavigate()
  const { section: key } = useParams({ strict: false })
  const shownKey = key ?? (isNarrow ? undefined : can(me, 'admin.read') ? 'workspace' : 'profile')
  const available = sections.filter(({ scope }) => !scope || can(me, scope))
  useCommands(
    available.map((section) => ({
      id: `settings:${section.key}`,
      label: settingsTexts.openSection(settingsTexts.sections[section.key]),
      group: settingsTexts.title,
      run: () => void navigate({ to: '/settings/$section', params: { section: section.key } }),
    })),
  )
  const isListOnly = shownKey === undefined
  return (
    <>
      {isNarrow && !isListOnly ? <BackHeader /> : <PageHeader title={settingsTexts.title} />}
      <div className={styles.split}>
        {(!isNarrow || isListOnly) && (
          <nav className={styles.nav} aria-label={settingsTexts.title}>
            <SectionGroup group="workspace" available={available} shownKey={shownKey} />
            <SectionGroup group="account" available={available} shownKey={shownKey} />
            {isNarrow && <SignOutLink />}
          </nav>
        )}
        {!isListOnly && (
          <div className={styles.content}>
            <ShownSection me={me} sectionKey={shownKey} />
          </div>
        )}
      </div>
    </>
  )
}

function SectionGroup({
  group,
  available,
  shownKey,
}: {
  group: Section['group']
  available: readonly Section[]
  shownKey: string | undefined
}) {
  return (
    <>
      <h2>{settingsTexts.groups[group]}</h2>
      {available
        .filter((section) => section.group === group)
        .map(({ key, icon }) => (
          <Link
            key={key}
            to="/settings/$section"
            params={{ section: key }}
            className={styles.link}
            aria-current={key === shownKey ? 'page' : undefined}
          >
            {icon}
            <span>{settingsTexts.sections[key]}</span>
            <ChevronRight size={16} className={styles.arrow} />
          </Link>
        ))}
    </>
  )
}

function BackHeader() {
  usePageTitle(settingsTexts.title)
  return (
    <h1 className={styles.back}>
      <Link to="/settings">
        <ChevronLeft size={18} />
        {settingsTexts.title}
      </Link>
    </h1>
  )
}

function ShownSection({ me, sectionKey }: { me: Me; sectionKey: string }) {
  const section = sections.find(({ key }) => key === sectionKey)
  if (!section) return <NotFoundState />
  const title = settingsTexts.sections[section.key]
  const { component: Shown, scope } = section
  if (scope && !can(me, scope)) return <NoPermissionState area={title} scope={scope} />
  return <Shown />
}
