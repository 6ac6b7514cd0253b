import { useState } from 'react'
import { useIntent } from '../../../api/intent.ts'
import { startTracking } from '../../../api/tasks.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { campaignPeopleTexts } from '../../../texts/en/campaign-people-texts.ts'
import { campaignTexts } from '../../../texts/en/campaign-texts.ts'
import { SelectField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type Campaign, refreshCampaigns } from '../campaign-queries.ts'
import { listWaysToAdd } from '../record/campaign-actions.ts'
import styles from './add-dialog.module.css'
import { describeAdded, describeEnrolled } from './member-results.ts'
import { addMembers, addSegment, isTask, type PersonChoice, type SegmentChoice } from './members-api.ts'
import { PeopleField } from './people-field.tsx'
import { SegmentFields, type SegmentMode } from './segment-fields.tsx'

const texts = campaignPeopleTexts.add

type AddDialogProps = {
  campaign: Campaign
  way: 'segment' | 'search'
  showPeople: () => void
  close: () => void
}

/** Adds people to a campaign, from a segment or one by one. What was chosen stays when the way is changed. */
export function AddDialog({ campaign, way: firstWay, showPeople, close }: AddDialogProps) {
  const me = useMe()
  const [way, setWay] = useState(firstWay)
  const [segment, setSegment] = useState<SegmentChoice>()
  const [mode, setMode] = useState<SegmentMode>('once')
  const [people, setPeople] = useState<readonly PersonChoice[]>([])
  const [status, setStatus] = useState(campaign.member_statuses[0]!.key)
  const [segmentIntent, peopleIntent] = [useIntent(), useIntent()]
  const number = (value: number) => formatNumber(value, me.locale)
  const show = { label: texts.show, run: showPeople }

  /** Reports the end of a task, which can be long after the dialog was closed. */
  const follow = async (taskId: string, label: string, describe: (result: object) => string) => {
    const task = await startTracking(taskId, label)
    if (task.state === 'succeeded') showToast(describe(task.result as object))
    else showToast(campaignPeopleTexts.tasks[task.state === 'cancelled' ? 'canceled' : 'failed'], { tone: 'failed' })
    await refreshCampaigns()
  }
  const finish = async (response: object, label: string, describe: (result: object) => string) => {
    close()
    if (isTask(response)) return void follow(response.task_id, label, describe)
    showToast(describe(response), { action: show })
    await refreshCampaigns()
  }

  const addChosenSegment = async () => {
    if (!segment?.id) throw fieldProblem('segment', texts.chooseSegment)
    const body = { target_type: 'campaign', target_id: campaign.id, mode, member_status: status }
    const response = await addSegment(segment.id, body, segmentIntent.keyOf([segment.id, body]))
    const { name } = segment
    await finish(response, campaignPeopleTexts.tasks.segment(name, campaign.name), (result) =>
      mode === 'continuous' ? texts.continuous(name) : describeEnrolled(result, number),
    )
  }
  const addChosenPeople = async () => {
    if (people.length === 0) throw fieldProblem('people', texts.choosePeople)
    const idsOf = (type: PersonChoice['type']) => people.filter((one) => one.type === type).map(({ id }) => id)
    const [lead_ids, contact_ids] = [idsOf('lead'), idsOf('contact')]
    const body = { ...(lead_ids.length && { lead_ids }), ...(contact_ids.length && { contact_ids }), status }
    const response = await addMembers(campaign.id, body, peopleIntent.keyOf(body))
    const label = campaignPeopleTexts.tasks.add(number(people.length), campaign.name)
    await finish(response, label, (result) => describeAdded(result, number))
  }
  const form = useForm(() => (way === 'segment' ? addChosenSegment() : addChosenPeople()), campaignTexts.problem)
  const ways = listWaysToAdd(me, campaign)
  return (
    <FormDialog
      title={texts.title(campaign.name)}
      submit={describeSubmit(way, segment, people.length, number)}
      form={form}
      close={close}
    >
      <div className={styles.tabs}>
        <Tabs
          label={texts.ways}
          tabs={ways.map((key) => ({ key, label: texts.way[key] }))}
          current={way}
          choose={setWay}
        >
          {way === 'segment' ? (
            <SegmentFields {...{ segment, setSegment, mode, setMode }} error={form.errors.segment} />
          ) : (
            <PeopleField {...{ people, setPeople }} error={form.errors.people} />
          )}
        </Tabs>
      </div>
      <SelectField
        label={texts.status}
        options={campaign.member_statuses.map(({ key, label }) => ({ value: key, label }))}
        value={status}
        onChange={(event) => setStatus(event.target.value)}
        error={form.errors.status ?? form.errors.member_status}
      />
    </FormDialog>
  )
}

/** Names the number of people on the button, as far as it is known. */
function describeSubmit(
  way: 'segment' | 'search',
  choice: SegmentChoice | undefined,
  people: number,
  toText: (value: number) => string,
): string {
  if (way === 'search') return people > 0 ? texts.submitCount(people, toText(people)) : texts.submit
  const { member_count: count, member_count_relation: relation } = choice?.segment ?? {}
  if (count === null || count === undefined) return texts.submit
  return relation === 'gte' ? texts.submitMore(toText(count)) : texts.submitCount(count, toText(count))
}
