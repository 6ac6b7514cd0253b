// Who may see which field, from docs/architecture. Deliberately repeated here: if the rules of the product were called, their
// mistakes would be expected results.
import type { ReaderName } from './readers.ts'

export type Field = {
  /** All others must not see the field in any way. */
  readers: readonly ReaderName[]
  /** No reader can see the field: why. */
  hiddenBecause?: string
}

const leaders: ReaderName[] = ['admin', 'manager']
const managersOf: ReaderName[] = [...leaders, 'owner', 'impersonator']
const coaches: ReaderName[] = [...managersOf, 'lead']
const ownerOnly: Field = { readers: ['owner'] }
const authors: Field = { readers: leaders }

const practice = {
  'practice title': ownerOnly,
  'practice topic': ownerOnly,
  'practice transcript': ownerOnly,
  'practice comment': ownerOnly,
  'practice recording': ownerOnly,
  'practice task': ownerOnly,
  'withdrawn transcript': ownerOnly,
  'withdrawn review': ownerOnly,
  'private roleplay message': ownerOnly,
  'private roleplay reflection': ownerOnly,
  'take title': { readers: [...coaches, 'pitch.read'] },
  'take transcript': { readers: [...coaches, 'pitch.read'] },
  'take review': { readers: [...coaches, 'pitch.read'] },
  'session agenda': { readers: coaches },
  'session feedback': { readers: coaches },
  'session reflection': { readers: coaches },
  'persona background': authors,
  'persona fact': authors,
  'persona objection': authors,
  'scenario context': authors,
  'criterion keyword': authors,
} satisfies Record<string, Field>

export const fields = { ...practice } satisfies Record<string, Field>

export type FieldName = keyof typeof fields
