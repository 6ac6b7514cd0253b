import { useNavigate } from '@tanstack/react-router'
import { Route } from 'lucide-react'
import { useState } from 'react'
import { createCadence } from '../../../api/access.gen.ts'
import { EmptyList, type EmptySlot } from '../../../patterns/list/empty-list.tsx'
import { ListPage } from '../../../patterns/list/list-page.tsx'
import { useList } from '../../../patterns/list/use-list.ts'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { can, may, useMe } from '../../../session/me.ts'
import { cadenceListTexts } from '../../../texts/en/cadence-list-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { CadenceCard } from './cadence-columns.tsx'
import { cadenceList } from './cadence-list.ts'

const CreateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'CreateDialog')

const texts = cadenceListTexts.empty

export function CadencesPage() {
  const me = useMe()
  return can(me, 'cadences.read') ? (
    <Cadences />
  ) : (
    <NoPermissionPage area={cadenceListTexts.area} scope="cadences.read" />
  )
}

function Cadences() {
  const list = useList(cadenceList)
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const open = ({ id }: { id: string }) => void navigate({ to: '/cadences/$cadenceId', params: { cadenceId: id } })
  return (
    <>
      <ListPage
        list={list}
        create={may(list.me, createCadence) ? () => setCreating(true) : undefined}
        openRow={open}
        openPage={open}
        renderCard={(row) => <CadenceCard row={row} locale={list.me.locale} />}
        renderEmpty={(slot) => <EmptyCadences {...slot} />}
      />
      {isCreating && <CreateDialog close={() => setCreating(false)} />}
    </>
  )
}

function EmptyCadences(slot: EmptySlot) {
  const none = { title: texts.title, text: slot.create ? texts.text : texts.textReadOnly, mayCreate: true }
  return (
    <EmptyList
      {...slot}
      icon={<Route size={20} />}
      views={{
        all: none,
        current: { ...none, links: { all: texts.showAll } },
        mine: { title: texts.mineTitle, text: texts.mineText, links: { all: texts.showAll }, mayCreate: true },
        archived: { title: texts.archivedTitle, text: texts.archivedText, links: { all: texts.showAll } },
      }}
      noMatch={{ title: texts.filteredTitle, text: texts.filteredText }}
    />
  )
}
