import { queryClient } from '../../api/queries.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { signOutAllTexts } from '../../texts/en/settings-texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { sessionsQuery, signOutAllUsers } from './settings-queries.ts'

export function SignOutAllDialog({ others, close }: { others: number; close: () => void }) {
  const { locale, tenant } = useMe()
  const form = useForm(async () => {
    const { users_signed_out } = await signOutAllUsers(tenant.slug)
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    showToast(signOutAllTexts.done(formatNumber(users_signed_out, locale)))
    close()
  }, signOutAllTexts.problem)
  return (
    <FormDialog
      title={signOutAllTexts.signOutAll}
      submit={signOutAllTexts.signOutAll}
      variant="danger"
      form={form}
      close={close}
    >
      <p>{signOutAllTexts.confirm(formatNumber(others, locale))}</p>
      {others > 0 && <p>{signOutAllTexts.kept}</p>}
    </FormDialog>
  )
}
