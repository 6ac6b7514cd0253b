import type { RollUpState } from '../usage-store/postgres-usage-store.ts'

type State = {
  generation: number
  timezone: string
  inactive_events: string[]
  next_generation: number | null
  next_timezone: string | null
  next_inactive_events: string[] | null
}

export type RollUpOptions = { timezone: string; inactive_events: readonly string[] }

export const toRollUpState = (state: State): RollUpState => ({
  generation: state.generation,
  timezone: state.timezone,
  inactive_events: state.inactive_events,
  next:
    state.next_generation === null
      ? null
      : {
          generation: state.next_generation,
          timezone: state.next_timezone!,
          inactive_events: state.next_inactive_events!,
        },
})

export const hasOptions = (state: RollUpOptions, { timezone, inactive_events }: RollUpOptions): boolean =>
  state.timezone === timezone &&
  JSON.stringify([...state.inactive_events].sort()) === JSON.stringify([...inactive_events].sort())
