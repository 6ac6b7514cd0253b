import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { uploadContactImport, uploadLeadImport } from '../../api/access.gen.ts'
import { PageHeader } from '../../patterns/page-header.tsx'
import { NoPermissionPage } from '../../patterns/states.tsx'
import { useCommands } from '../../session/commands.ts'
import { can, isManagerOrAdmin, may, useMe } from '../../session/me.ts'
import { importTexts } from '../../texts/en/import-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './history/history.module.css'
import { ImportList } from './history/import-list.tsx'
import { recordTypes } from './model/types.ts'

const texts = importTexts.history
const route = getRouteApi('/imports')
const uploads = { leads: uploadLeadImport, contacts: uploadContactImport }

export function ImportsPage() {
  const me = useMe()
  const navigate = useNavigate()
  const { kind } = route.useSearch()
  const types = recordTypes.filter((type) => can(me, `${type}.read`))
  const uploadable = recordTypes.filter((type) => may(me, uploads[type]))
  const [first] = uploadable
  const start = () =>
    first && void navigate({ to: '/imports/$type/$importId', params: { type: kind ?? first, importId: 'new' } })
  useCommands([
    {
      id: 'imports:new',
      label: texts.new,
      group: texts.group,
      keys: ['c'],
      isAvailable: first !== undefined,
      run: () => start(),
    },
  ])
  if (types.length === 0) return <NoPermissionPage area={importTexts.area} scope="leads.read" />
  return (
    <>
      <PageHeader
        title={importTexts.list}
        tabs={
          <nav className={styles.kinds} aria-label={texts.columns.kind}>
            {[undefined, ...types].map((one) => (
              <Link
                key={one ?? 'all'}
                to="/imports"
                search={{ kind: one }}
                aria-current={one === kind ? 'page' : undefined}
              >
                {one ? importTexts.kinds[one] : texts.all}
              </Link>
            ))}
          </nav>
        }
        actions={
          first && (
            <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={start}>
              {texts.new}
            </Button>
          )
        }
      />
      <ImportList types={types} kind={kind} start={first && start} isOwnOnly={!isManagerOrAdmin(me)} />
    </>
  )
}
