import { areaKeys } from '../../../../api/area-keys.ts'
import { ComboboxList } from '../../../../patterns/combobox/combobox-list.tsx'
import { useCombobox } from '../../../../patterns/combobox/use-combobox.ts'
import { ProblemState, Skeleton } from '../../../../patterns/states.tsx'
import { cadenceStepTexts as texts } from '../../../../texts/en/cadence-step-texts.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { findLeads, type PreviewPerson } from './preview-queries.ts'

/** Asks for another lead as whom the email is shown. */
export function PersonDialog({ choose, close }: { choose: (person: PreviewPerson) => void; close: () => void }) {
  const { field, list, query, isEmpty } = useCombobox({
    staysOpen: true,
    queryKey: areaKeys.cadences.leadSearch,
    find: async (text, signal) =>
      (await findLeads(text, signal)).map(({ id, name, email }) => ({ id, name, detail: email })),
    pick({ id, name, detail }) {
      choose({ kind: 'lead', id: id!, name, email: detail ?? '' })
      close()
    },
  })
  return (
    <Dialog title={texts.otherPersonTitle} close={close}>
      <TextField label={texts.searchPerson} isLabelHidden placeholder={texts.searchPerson} {...field} />
      {query.isPending && <Skeleton rows={4} />}
      {query.error && <ProblemState error={query.error} part={texts.leads} retry={() => void query.refetch()} />}
      {isEmpty && <p role="status">{texts.noLead}</p>}
      <ComboboxList
        list={list}
        label={texts.otherPersonTitle}
        render={({ name, detail }) => (
          <>
            <span>{name}</span>
            <small>{detail}</small>
          </>
        )}
      />
    </Dialog>
  )
}
