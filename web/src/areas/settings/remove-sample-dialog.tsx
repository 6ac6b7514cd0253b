import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { sampleDataTexts } from '../../texts/en/settings-texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'

export function RemoveSampleDialog({
  modifiedCount,
  remove,
  close,
}: {
  modifiedCount: number
  remove: (includesModified: boolean) => Promise<void>
  close: () => void
}) {
  const { locale } = useMe()
  const form = useForm(async (data) => {
    await remove(data.has('include_modified'))
    close()
  }, sampleDataTexts.problem)
  return (
    <FormDialog
      title={sampleDataTexts.remove}
      submit={sampleDataTexts.remove}
      variant="danger"
      form={form}
      close={close}
    >
      <p>{sampleDataTexts.removeText}</p>
      {modifiedCount > 0 && (
        <>
          <p>{sampleDataTexts.modified(formatNumber(modifiedCount, locale))}</p>
          <Checkbox label={sampleDataTexts.includeModified} name="include_modified" />
        </>
      )}
    </FormDialog>
  )
}
