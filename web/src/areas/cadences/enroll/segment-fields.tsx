import { areaKeys } from '../../../api/area-keys.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { useMe } from '../../../session/me.ts'
import { cadencePeopleTexts } from '../../../texts/en/cadence-people-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { findSegments, type Segment } from './enroll-api.ts'

const texts = cadencePeopleTexts.enroll
type Mode = keyof typeof texts.modes

/** A lower bound has a plus sign. */
export const countText = ({ member_count: count, member_count_relation: relation }: Segment, locale: string): string =>
  `${formatNumber(count ?? 0, locale)}${relation === 'gte' ? '+' : ''}`

type FieldsProps = {
  segment: Segment | undefined
  chooseSegment: (segment: Segment | undefined) => void
  mode: Mode
  chooseMode: (mode: Mode) => void
}

/** Outside of the component, because choices that were found before stay cached. */
const found = new Map<string, Segment>()

export function SegmentFields({ segment, chooseSegment, mode, chooseMode }: FieldsProps) {
  const { locale } = useMe()
  const describeCount = (one: Segment) =>
    one.member_count === null ? texts.noCount : texts.members(one.member_count, countText(one, locale))
  return (
    <>
      <RecordSearch
        label={texts.segment}
        queryKey={areaKeys.cadences.segmentSearch}
        find={async (text, signal) => {
          const segments = (await findSegments(text, signal)).filter((one) => one.object_type !== 'account')
          for (const one of segments) found.set(one.id, one)
          return segments.map((one) => ({ id: one.id, name: one.name, detail: describeCount(one) }))
        }}
        chosen={segment}
        choose={(choice) => chooseSegment(choice?.id ? found.get(choice.id) : undefined)}
      />
      <RadioGroup
        label={texts.mode}
        name="mode"
        value={mode}
        onChange={chooseMode}
        options={(['once', 'continuous'] as const).map((value) => ({ value, ...texts.modes[value] }))}
      />
    </>
  )
}
