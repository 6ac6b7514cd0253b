import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, UsersRound } from 'lucide-react'
import { useMemo } from 'react'
import { usePages } from '../../../api/pages.ts'
import { DataGrid } from '../../../patterns/grid/data-grid.tsx'
import type { Column } from '../../../patterns/grid/grid-model.ts'
import { useListCommands } from '../../../patterns/grid/use-list-commands.ts'
import { useSelection } from '../../../patterns/grid/use-selection.ts'
import { Muted, RowCard, SinceCell } from '../../../patterns/list/cells.tsx'
import { describeTotal } from '../../../patterns/list/describe-total.ts'
import { PageBar } from '../../../patterns/page-header.tsx'
import { NoPermissionState, ProblemState, Skeleton, State } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { can, type Me, useMe } from '../../../session/me.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import type { ObjectType, Segment } from '../segment-queries.ts'
import { mayChangeSegment } from '../segment-rights.ts'
import { pathOfRecord } from './count-panel.tsx'
import { AddMembers, RemoveMembers } from './member-changes.tsx'
import { loadMembersPage, type Member, membersKey } from './member-queries.ts'
import styles from './segment.module.css'

export const readScopes: Readonly<Record<ObjectType, Me['scopes'][number]>> = {
  lead: 'leads.read',
  contact: 'contacts.read',
  account: 'accounts.read',
}

export function PeopleTab({ segment }: { segment: Segment }) {
  const me = useMe()
  const scope = readScopes[segment.object_type]
  if (!can(me, scope)) return <NoPermissionState area={texts.recordTabs[segment.object_type]} scope={scope} />
  if (segment.state === 'invalid')
    return (
      <State icon={<CircleAlert size={20} />} hue="danger" title={texts.invalidTitle}>
        {texts.invalidMembers}
      </State>
    )
  return <Members segment={segment} />
}

function Members({ segment }: { segment: Segment }) {
  const { id, object_type: type, kind } = segment
  const me = useMe()
  const now = useNow()
  const navigate = useNavigate()
  const pages = usePages(membersKey(segment), loadMembersPage(id))
  const canEdit = kind === 'static' && mayChangeSegment(me, segment)
  const chosen = useSelection({ name: id, getRow: pages.getRow, loaded: pages.loaded })
  const open = (member: Member) => void navigate({ to: pathOfRecord(type, member.id) })
  const cursor = useListCommands({
    rows: pages,
    open(index) {
      const member = pages.getRow(index)
      if (member) open(member)
    },
    close: chosen.clear,
    isPanelOpen: false,
    ...(canEdit && { toggle: chosen.toggle, toggleRange: chosen.toggleRange }),
  })
  const columns = useMemo(() => memberColumns(type, { now, locale: me.locale }), [type, now, me.locale])
  return (
    <div className={styles.list}>
      <PageBar>
        {canEdit &&
          (chosen.ids.size > 0 ? (
            <RemoveMembers segment={segment} ids={[...chosen.ids]} done={chosen.clear} />
          ) : (
            <AddMembers segment={segment} />
          ))}
        {pages.total !== null && (
          <span className={`number ${styles.total}`} role="status">
            {describeTotal(pages, me.locale)} {texts.nouns[type](pages.total)}
          </span>
        )}
      </PageBar>
      {pages.error ? (
        <ProblemState error={pages.error} part={texts.recordTabs[type]} retry={pages.retry} />
      ) : pages.isPending ? (
        <Skeleton rows={10} />
      ) : pages.rowCount === 0 ? (
        <State icon={<UsersRound size={20} />} hue="neutral" title={texts.noMembers[type]}>
          {kind === 'static' ? texts.noMembersStatic : texts.noMembersDynamic}
        </State>
      ) : (
        <DataGrid<Member>
          label={texts.recordTabs[type]}
          columns={columns}
          rowCount={pages.rowCount}
          getRow={pages.getRow}
          renderCard={(member) => <RowCard name={nameOf(member)} detail={member.company ?? member.email} status="" />}
          nameOf={nameOf}
          cursor={cursor}
          selection={canEdit ? chosen.selection : undefined}
          open={open}
          showRows={pages.showRows}
        />
      )}
    </div>
  )
}

const nameOf = ({ name, email }: Member): string => name ?? email ?? texts.noName

function memberColumns(type: ObjectType, options: { now: number; locale: string }): Column<Member>[] {
  const all: (Column<Member> & { isShown?: boolean })[] = [
    {
      key: 'name',
      label: texts.memberColumns.name,
      width: 'minmax(180px, 2fr)',
      render: (member) => (
        <span className={styles.personName}>
          <Avatar name={nameOf(member)} isCompany={type === 'account'} />
          <b>{nameOf(member)}</b>
        </span>
      ),
    },
    {
      key: 'company',
      label: texts.memberColumns.company,
      width: 'minmax(140px, 1.4fr)',
      isShown: type !== 'account',
      render: ({ company }) => <Muted>{company}</Muted>,
    },
    {
      key: 'email',
      label: texts.memberColumns.email,
      width: 'minmax(160px, 1.6fr)',
      isShown: type !== 'account',
      minListWidth: 560,
      render: ({ email }) => <Muted>{email}</Muted>,
    },
    {
      key: 'created',
      label: texts.memberColumns.created,
      width: '120px',
      minListWidth: 680,
      render: ({ created_at: at }) => <SinceCell at={at} {...options} />,
    },
  ]
  return all.filter(({ isShown = true }) => isShown)
}
