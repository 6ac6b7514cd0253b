import { queryClient } from '../../api/queries.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { apiKeyTexts } from '../../texts/en/settings-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { type ApiKey, apiKeysQuery, revokeApiKey } from './settings-queries.ts'

export function RevokeKeyDialog({ apiKey: { id, name }, close }: { apiKey: ApiKey; close: () => void }) {
  const me = useMe()
  const form = useForm(async () => {
    await revokeApiKey(id)
    showToast(apiKeyTexts.revoked(name))
    close()
    await queryClient.invalidateQueries({ queryKey: apiKeysQuery(me.id).queryKey })
  })
  return (
    <FormDialog
      title={apiKeyTexts.revokeTitle(name)}
      submit={apiKeyTexts.revoke}
      variant="danger"
      form={form}
      close={close}
    >
      <p>{apiKeyTexts.revokeText}</p>
    </FormDialog>
  )
}
