import type { CountedFrom } from '../usage-store/day-starts.rules.ts'
import type { RollUpState } from '../usage-store/postgres-usage-store.ts'

type State = {
  generation: number
  timezone: string
  inactive_events: string[]
  next_generation: number | null
  next_timezone: string | null
  next_inactive_events: string[] | null
  counted_on: string | null
  counted_from: Date | null
  next_counted_on: string | null
  next_counted_from: Date | null
}

export type RollUpOptions = { timezone: string; inactive_events: readonly string[] }

const toCountedFrom = (counted_on: string | null, counted_from: Date | null): CountedFrom | null =>
  counted_on === null || counted_from === null ? null : { counted_on, counted_from }

export const toRollUpState = (state: State): RollUpState => ({
  generation: state.generation,
  timezone: state.timezone,
  inactive_events: state.inactive_events,
  counted: toCountedFrom(state.counted_on, state.counted_from),
  next:
    state.next_generation === null
      ? null
      : {
          generation: state.next_generation,
          timezone: state.next_timezone!,
          inactive_events: state.next_inactive_events!,
          counted: toCountedFrom(state.next_counted_on, state.next_counted_from),
        },
})

export const hasOptions = (state: RollUpOptions, { timezone, inactive_events }: RollUpOptions): boolean =>
  state.timezone === timezone &&
  JSON.stringify([...state.inactive_events].sort()) === JSON.stringify([...inactive_events].sort())
