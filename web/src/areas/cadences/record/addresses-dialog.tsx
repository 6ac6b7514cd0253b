import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../api/queries.ts'
import { crmSettingsQuery } from '../../../patterns/crm-settings-query.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { Skeleton } from '../../../patterns/states.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { replaceCrmSettings } from '../cadence-queries.ts'

/** Sets the addresses without which no email of the workspace can be sent. */
export function AddressesDialog({ close }: { close: () => void }) {
  const { data } = useQuery(crmSettingsQuery)
  const form = useForm(async (fields) => {
    const read = (name: string) => String(fields.get(name)).replaceAll('\r\n', '\n').trim() || null
    const addresses = {
      from_name: read('from_name'),
      from_address: read('from_address'),
      postal_address: read('postal_address'),
    }
    const current = await queryClient.fetchQuery({ ...crmSettingsQuery, staleTime: 0 })
    const saved = await replaceCrmSettings({ ...current, sending: { ...current.sending, ...addresses } })
    queryClient.setQueryData(crmSettingsQuery.queryKey, saved)
    showToast(recordTexts.saved)
    close()
  })
  const errorOf = (name: string) => form.errors[`sending.${name}`]
  return (
    <FormDialog title={texts.addressesTitle} submit={texts.saveAddresses} form={form} close={close}>
      <p>{texts.addressesText}</p>
      {data ? (
        <>
          <TextField
            label={texts.fromName}
            name="from_name"
            maxLength={78}
            defaultValue={data.sending.from_name ?? ''}
            error={errorOf('from_name')}
          />
          <TextField
            label={texts.fromAddress}
            name="from_address"
            type="email"
            required
            defaultValue={data.sending.from_address ?? ''}
            error={errorOf('from_address')}
          />
          <TextArea
            label={texts.postalAddress}
            name="postal_address"
            required
            maxLength={500}
            hint={texts.postalHint}
            defaultValue={data.sending.postal_address ?? ''}
            error={errorOf('postal_address')}
          />
        </>
      ) : (
        <Skeleton rows={3} />
      )}
    </FormDialog>
  )
}
