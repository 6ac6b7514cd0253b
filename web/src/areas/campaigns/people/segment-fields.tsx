import { areaKeys } from '../../../api/area-keys.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { useMe } from '../../../session/me.ts'
import { campaignPeopleTexts } from '../../../texts/en/campaign-people-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import styles from './add-dialog.module.css'
import { findSegments, type Segment, type SegmentChoice } from './members-api.ts'

const texts = campaignPeopleTexts.add

export type SegmentMode = 'once' | 'continuous'
const modes: readonly SegmentMode[] = ['once', 'continuous']

type SegmentFieldsProps = {
  segment: SegmentChoice | undefined
  setSegment: (segment: SegmentChoice | undefined) => void
  mode: SegmentMode
  setMode: (mode: SegmentMode) => void
  error: string | undefined
}

export const SegmentFields = ({ segment, setSegment, mode, setMode, error }: SegmentFieldsProps) => (
  <div className={styles.fields}>
    <RecordSearch
      label={texts.segment}
      queryKey={areaKeys.campaigns.segments}
      find={findSegments}
      chosen={segment}
      choose={(choice) => setSegment(choice as SegmentChoice | undefined)}
      error={error}
      autoFocus
    />
    {segment && <MemberCount segment={segment.segment} />}
    <RadioGroup
      label={texts.mode}
      name="mode"
      options={modes.map((value) => ({ value, label: texts.modes[value], description: texts.modeTexts[value] }))}
      value={mode}
      onChange={setMode}
    />
  </div>
)

function MemberCount({ segment }: { segment: Segment }) {
  const { locale } = useMe()
  const { state, member_count: count, member_count_relation: relation } = segment
  return (
    <p className={styles.count} role="status">
      {state === 'invalid'
        ? texts.invalidSegment
        : count === null
          ? texts.notCounted
          : texts.counted(count, formatNumber(count, locale), relation === 'gte')}
    </p>
  )
}
