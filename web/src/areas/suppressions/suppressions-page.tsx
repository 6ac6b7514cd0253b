import { ShieldOff, Upload } from 'lucide-react'
import { useState } from 'react'
import { addSuppressions, listSuppressions, uploadSuppressions } from '../../api/access.gen.ts'
import { EmptyList, type EmptySlot } from '../../patterns/list/empty-list.tsx'
import { ListPage } from '../../patterns/list/list-page.tsx'
import { useList } from '../../patterns/list/use-list.ts'
import { NoPermissionState } from '../../patterns/states.tsx'
import { useNarrow } from '../../patterns/use-narrow.ts'
import { useCommands } from '../../session/commands.ts'
import { may, useMe } from '../../session/me.ts'
import { suppressionTexts as texts } from '../../texts/en/suppression-texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { SuppressionCard } from './suppression-columns.tsx'
import { type Suppression, suppressionList } from './suppression-list.ts'

const AddDialog = lazyPart(() => import('./add-dialog.tsx'), 'AddDialog')
const UploadDialog = lazyPart(() => import('./upload-dialog.tsx'), 'UploadDialog')
const SuppressionDialog = lazyPart(() => import('./suppression-dialog.tsx'), 'SuppressionDialog')

export function SuppressionsPage() {
  const me = useMe()
  if (may(me, listSuppressions)) return <Suppressions />
  return (
    <>
      <h1 className="visually-hidden">{texts.title}</h1>
      <NoPermissionState area={texts.area} />
    </>
  )
}

function Suppressions() {
  const list = useList(suppressionList)
  const { me, now } = list
  const isNarrow = useNarrow()
  const [dialog, setDialog] = useState<'add' | 'upload'>()
  const [opened, setOpened] = useState<Suppression>()
  const mayUpload = may(me, uploadSuppressions)
  const upload = () => setDialog('upload')
  const close = () => setDialog(undefined)
  useCommands([
    { id: 'suppressions:upload', label: texts.upload, group: texts.title, isAvailable: mayUpload, run: upload },
  ])
  return (
    <>
      <ListPage
        list={list}
        create={may(me, addSuppressions) ? () => setDialog('add') : undefined}
        actions={
          mayUpload &&
          (isNarrow ? (
            <IconButton label={texts.upload} icon={<Upload size={18} />} onClick={upload} />
          ) : (
            <Button icon={<Upload size={15} />} onClick={upload}>
              {texts.upload}
            </Button>
          ))
        }
        openRow={setOpened}
        renderCard={(row) => <SuppressionCard row={row} now={now} locale={me.locale} />}
        renderEmpty={(slot) => <EmptySuppressions {...slot} />}
      />
      {dialog === 'add' && <AddDialog close={close} />}
      {dialog === 'upload' && <UploadDialog close={close} />}
      {opened && <SuppressionDialog suppression={opened} close={() => setOpened(undefined)} />}
    </>
  )
}

function EmptySuppressions(slot: EmptySlot) {
  const { empty } = texts
  const ofChannel = { title: empty.ofChannelTitle, text: empty.ofChannelText, links: { all: empty.showAll } }
  return (
    <EmptyList
      {...slot}
      icon={<ShieldOff size={20} />}
      views={{
        all: { title: empty.title, text: empty.text, mayCreate: true },
        email: ofChannel,
        survey: ofChannel,
        phone: ofChannel,
      }}
      noMatch={{ title: empty.filteredTitle, text: empty.filteredText }}
    />
  )
}
