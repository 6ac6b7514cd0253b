import { getRouteApi, Link } from '@tanstack/react-router'
import { PageHeader } from '../../patterns/page-header.tsx'
import { NoPermissionPage } from '../../patterns/states.tsx'
import { can, type Me, useMe } from '../../session/me.ts'
import { trashTexts as texts } from '../../texts/en/trash-texts.ts'
import styles from './trash.module.css'
import { TrashList } from './trash-list.tsx'
import { type Kind, kinds } from './trash-search.ts'

const route = getRouteApi('/trash')

const scopes = {
  lead: 'leads',
  contact: 'contacts',
  account: 'accounts',
  opportunity: 'opportunities',
} as const

const mayRead = (me: Me, kind: Kind): boolean => can(me, 'leads.read') && can(me, `${scopes[kind]}.read`)

/** Lists what was deleted in the last 30 days and can be restored by the user. */
export function TrashPage() {
  const me = useMe()
  const readable = kinds.filter((kind) => mayRead(me, kind))
  const { kind = readable[0] } = route.useSearch()
  if (!kind || !readable.includes(kind)) return <NoPermissionPage area={texts.title} scope="leads.read" />
  return (
    <>
      <PageHeader
        title={texts.title}
        tabs={
          <nav className={styles.kinds} aria-label={texts.choose}>
            {readable.map((one) => (
              <Link key={one} to="/trash" search={{ kind: one }} aria-current={one === kind ? 'page' : undefined}>
                {texts.kinds[one]}
              </Link>
            ))}
          </nav>
        }
      />
      <TrashList key={kind} kind={kind} canRestore={can(me, `${scopes[kind]}.write`)} />
    </>
  )
}
