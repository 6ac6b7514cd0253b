import { areaKeys } from '../../../api/area-keys.ts'
import { queryClient } from '../../../api/queries.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import {
  type Cadence,
  changeCadence,
  deleteCadence,
  loadCadence,
  refreshPeople,
  storeCadence,
} from '../cadence-queries.ts'
import { forgetEdits } from '../steps/step-store.ts'

type EndProps = { cadence: Cadence; action: 'archive' | 'delete'; close: () => void; leave: () => void }

export const EndDialogs = (props: EndProps) =>
  props.action === 'archive' ? <ArchiveDialog {...props} /> : <DeleteDialog {...props} />

function ArchiveDialog({ cadence: { id, name, live_count: live }, close }: EndProps) {
  const { locale } = useMe()
  const form = useForm(async () => {
    const { version } = await loadCadence(id)
    storeCadence(await changeCadence(id, version, { status: 'archived' }))
    showToast(texts.wasArchived(name))
    close()
    await refreshPeople(id)
  }, texts.problem)
  return (
    <FormDialog title={texts.archiveTitle(name)} submit={texts.archive} variant="danger" form={form} close={close}>
      <p>{texts.archiveText(live, formatNumber(live, locale))}</p>
    </FormDialog>
  )
}

function DeleteDialog({ cadence, close, leave }: EndProps) {
  const { id, name } = cadence
  const form = useForm(async () => {
    await deleteCadence(await loadCadence(id))
    forgetEdits(id)
    showToast(texts.wasDeleted(name))
    close()
    leave()
    queryClient.removeQueries({ queryKey: areaKeys.cadences.detail(id) })
    await queryClient.invalidateQueries({ queryKey: areaKeys.cadences.lists })
  }, texts.problem)
  return (
    <FormDialog title={texts.deleteTitle(name)} submit={texts.remove} variant="danger" form={form} close={close}>
      <p>{texts.deleteText}</p>
    </FormDialog>
  )
}
