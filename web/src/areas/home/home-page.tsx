import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Database, Play, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ProblemState, State } from '../../patterns/states.tsx'
import { useNow } from '../../patterns/use-now.ts'
import { usePageTitle } from '../../patterns/use-page-title.ts'
import { useCommands } from '../../session/commands.ts'
import { can, useMe } from '../../session/me.ts'
import { useNavigationPreferences } from '../../session/user-preferences.ts'
import { homeTexts } from '../../texts/en/home-texts.ts'
import { Button } from '../../ui/button.tsx'
import { currentTimeZone, hourOf } from '../../ui/time-zone.ts'
import { CadencesCard, CampaignsCard } from './audience-cards.tsx'
import styles from './home.module.css'
import { ClosingCard, ReadingCard } from './home-cards.tsx'
import { type Home, hasLeadsQuery, homeQuery } from './home-queries.ts'
import { HomeSkeleton } from './home-skeleton.tsx'
import { greetingAt, summarizeAudience, summarizeHome } from './home-summary.ts'
import { HomeTiles } from './home-tiles.tsx'
import { callSearch, listNextUp, type NextUpItem, pathOf } from './next-up.ts'
import { NextUpCard } from './next-up-card.tsx'

/** Shows a user what to do today. */
export function HomePage() {
  usePageTitle(homeTexts.title)
  const { data: home, error, refetch } = useQuery(homeQuery)
  return (
    <div className={styles.page}>
      <div className={styles.content}>
        {home ? (
          <HomeContent home={home} />
        ) : (
          <>
            <Greeting text={error ? undefined : '\u00a0'} />
            {error ? (
              <ProblemState error={error} part={homeTexts.title} retry={() => void refetch()} />
            ) : (
              <HomeSkeleton />
            )}
          </>
        )}
      </div>
    </div>
  )
}

function HomeContent({ home }: { home: Home }) {
  const me = useMe()
  const { leads, deals, tasks, rooms } = home
  const { focus } = useNavigationPreferences()
  const audience = focus === 'market' ? home.audience : null
  const nextUp = listNextUp(home)
  const isEmpty =
    nextUp.length === 0 && !leads?.open && !deals?.open_count && !rooms?.items.length && !audience?.campaigns.length
  const isAsked = isEmpty && me.role === 'admin'
  const { data: hasLeads } = useQuery({ ...hasLeadsQuery, enabled: isAsked })
  const [first] = nextUp
  const open = useOpenItem()
  useCommands([
    {
      id: 'home:start',
      label: homeTexts.start,
      group: homeTexts.group,
      keys: ['s'],
      icon: <Play size={17} />,
      isAvailable: first !== undefined,
      run: () => open(first!),
    },
  ])
  if (isAsked && hasLeads === false)
    return (
      <>
        <Greeting />
        <EmptyWorkspace />
      </>
    )
  const queue = (leads || tasks) && <NextUpCard items={nextUp} dueToday={tasks?.due_today ?? 0} />
  return (
    <>
      <Greeting text={(audience && summarizeAudience(audience, me.locale)) || summarizeHome(home)}>
        {first && (
          <Button icon={<Play size={14} />} keys="s" onClick={() => open(first)}>
            {homeTexts.start}
          </Button>
        )}
      </Greeting>
      {audience ? (
        <div className={styles.halves}>
          <div className={styles.column}>
            <CampaignsCard campaigns={audience.campaigns} />
            <CadencesCard cadences={audience.cadences} />
          </div>
          <div className={styles.column}>{queue}</div>
        </div>
      ) : (
        <>
          <HomeTiles home={home} />
          <div className={styles.columns}>
            {queue}
            <div className={styles.column}>
              {rooms && <ReadingCard visits={rooms.items} />}
              {deals && <ClosingCard deals={deals.items} amount={deals.closing_amount} />}
            </div>
          </div>
        </>
      )}
    </>
  )
}

/** Opens the call form of a lead, or the record of a task. */
function useOpenItem() {
  const navigate = useNavigate()
  const me = useMe()
  return (item: NextUpItem) => {
    if (item.kind === 'task') void navigate({ to: pathOf(item) })
    else if (can(me, 'leads.write')) void navigate({ to: '/leads', search: callSearch(item.lead.id) })
    else void navigate({ to: '/leads', search: { open: item.lead.id } })
  }
}

function Greeting({ text, children }: { text?: string; children?: ReactNode }) {
  const { name, locale } = useMe()
  const now = useNow()
  const style = { weekday: 'long', day: 'numeric', month: 'long', timeZone: currentTimeZone() } as const
  const day = new Intl.DateTimeFormat(locale, style).format(now)
  return (
    <header className={styles.greeting}>
      <div>
        <p className={styles.day}>{day}</p>
        <h1>{homeTexts.greeting(greetingAt(hourOf(now)), name.split(' ')[0]!)}</h1>
        {text && <p className={styles.summary}>{text}</p>}
      </div>
      {children}
    </header>
  )
}

const EmptyWorkspace = () => (
  <div className={styles.card}>
    <State
      icon={<Database size={20} />}
      hue="info"
      title={homeTexts.empty}
      actions={
        <>
          <Link to={'/settings/sample-data' as string} className={styles.primary}>
            <Database size={14} />
            {homeTexts.loadSample}
          </Link>
          <Link to="/leads" className={styles.secondary}>
            <Plus size={14} />
            {homeTexts.createLead}
          </Link>
        </>
      }
    >
      {homeTexts.emptyText}
    </State>
  </div>
)
