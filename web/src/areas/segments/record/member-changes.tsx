import { useMutation } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { Picker } from '../../../patterns/rule-builder/picker.tsx'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { ruleTexts } from '../../../texts/en/rule-texts.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import buttonStyles from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { refreshMembers, type Segment } from '../segment-queries.ts'
import { changeMembers, memberChoices } from './member-queries.ts'

type Changes = { add?: string[]; remove?: string[] }

function useMemberChanges({ id }: Segment) {
  const change = useMutation({
    mutationFn: (changes: Changes) => changeMembers(id, changes),
    onError: (error, changes) => showRepeatableProblem(error, () => change.mutate(changes)),
    onSettled: () => refreshMembers(id),
  })
  return change
}

export function AddMembers({ segment }: { segment: Segment }) {
  const change = useMemberChanges(segment)
  return (
    <Picker
      label={texts.addMembers[segment.object_type]}
      className={`${buttonStyles.button} ${buttonStyles.secondary}`}
      source={memberChoices(segment.object_type)}
      isMultiple
      pick={({ id, name }) => {
        if (id)
          change.mutate({ add: [id] }, { onSuccess: ({ added }) => showToast(texts.memberAdded(name, added > 0)) })
      }}
    >
      <Plus size={15} aria-hidden="true" />
      {texts.addMembers[segment.object_type]}
    </Picker>
  )
}

/** The list is changed at once, and the members can be put back. */
export function RemoveMembers({ segment, ids, done }: { segment: Segment; ids: string[]; done: () => void }) {
  const change = useMemberChanges(segment)
  const remove = () =>
    change.mutate(
      { remove: ids },
      {
        onSuccess({ removed }) {
          done()
          const undo = { label: ruleTexts.undo, run: () => change.mutate({ add: ids }) }
          showToast(texts.membersRemoved(removed), { action: undo })
        },
      },
    )
  return (
    <Button icon={<X size={15} />} disabled={change.isPending} onClick={remove}>
      {texts.removeMembers(ids.length)}
    </Button>
  )
}
