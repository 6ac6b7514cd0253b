import { useNavigate } from '@tanstack/react-router'
import { Funnel } from 'lucide-react'
import * as access from '../../../api/access.gen.ts'
import { EmptyList, type EmptySlot } from '../../../patterns/list/empty-list.tsx'
import { ListPage } from '../../../patterns/list/list-page.tsx'
import { useList } from '../../../patterns/list/use-list.ts'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { can, may, useMe } from '../../../session/me.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { SegmentCard } from './segment-columns.tsx'
import { segmentList } from './segment-list.ts'

export function SegmentsPage() {
  const me = useMe()
  return can(me, 'segments.read') ? <SegmentList /> : <NoPermissionPage area={texts.area} scope="segments.read" />
}

function SegmentList() {
  const me = useMe()
  const list = useList(segmentList)
  const navigate = useNavigate()
  const create = () =>
    void navigate({ to: '/segments/new', search: (list.filters.type ? { type: list.filters.type } : {}) as never })
  return (
    <ListPage
      list={list}
      create={may(me, access.createSegment) ? create : undefined}
      openRow={({ id }) => void navigate({ to: '/segments/$segmentId', params: { segmentId: id } })}
      renderCard={(segment) => <SegmentCard segment={segment} locale={me.locale} />}
      renderEmpty={(slot) => <EmptySegments {...slot} />}
    />
  )
}

const EmptySegments = (slot: EmptySlot) => (
  <EmptyList
    {...slot}
    icon={<Funnel size={20} />}
    views={{
      all: { title: texts.empty.title, text: texts.empty.text, mayCreate: true },
      leads: { title: texts.empty.ofType.lead, text: texts.empty.text, mayCreate: true },
      contacts: { title: texts.empty.ofType.contact, text: texts.empty.text, mayCreate: true },
      accounts: { title: texts.empty.ofType.account, text: texts.empty.text, mayCreate: true },
    }}
    noMatch={{ title: texts.empty.filtered, text: texts.empty.filteredText }}
  />
)
