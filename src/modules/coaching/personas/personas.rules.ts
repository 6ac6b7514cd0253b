import { type InputError, invalidInput } from '#platform/errors'
import type { PersonaRow } from './persona-row.ts'
import type { Fact, NewPersona, Objection, Persona, PersonaChanges, Traits, Voice } from './personas.schemas.ts'

const defaultTraits: Traits = {
  patience: 3,
  skepticism: 3,
  talkativeness: 3,
  technical_depth: 3,
  price_sensitivity: 3,
}
const defaultVoice: Voice = { name: null, speed: 1 }
const defaultSeverity = 2

export const traitsOf = (stored: Partial<Traits>): Traits => ({ ...defaultTraits, ...stored })
export const voiceOf = (stored: Partial<Voice>): Voice => ({ ...defaultVoice, ...stored })

type PersonaInput = Pick<PersonaChanges, 'objections' | 'facts' | 'traits' | 'voice'>
type PersonaParts = { objections?: Objection[]; facts?: Fact[]; traits?: Traits; voice?: Voice }

/** Completes the nested parts of an input with their defaults, or with the current values of the persona. */
export function toPersonaParts(
  { objections, facts, traits, voice }: PersonaInput,
  current: { traits: Partial<Traits>; voice: Partial<Voice> } = { traits: {}, voice: {} },
): PersonaParts {
  return {
    ...(objections && { objections: objections.map(toObjection) }),
    ...(facts && { facts: facts.map((fact) => ({ ...fact, suggested_question: fact.suggested_question ?? null })) }),
    ...(traits && { traits: { ...traitsOf(current.traits), ...traits } }),
    ...(voice && { voice: { ...voiceOf(current.voice), ...voice } }),
  }
}

const toObjection = ({
  triggers = [],
  good_responses = [],
  severity = defaultSeverity,
  ...objection
}: NonNullable<NewPersona['objections']>[number]): Objection => ({ ...objection, triggers, good_responses, severity })

export function assertUniqueKeys({ objections = [], facts = [] }: PersonaInput): void {
  const problems = [...findDuplicateKeys('/objections', objections), ...findDuplicateKeys('/facts', facts)]
  if (problems.length) throw invalidInput(problems)
}

export const findDuplicateKeys = (path: string, items: readonly { key: string }[]): InputError[] =>
  items.flatMap(({ key }, index) =>
    items.findIndex((item) => item.key === key) === index
      ? []
      : [
          {
            in: 'body',
            path: `${path}/${index}/key`,
            code: 'duplicate_key',
            message: `The key \`${key}\` must not occur twice.`,
          },
        ],
  )

/** Sellers see only the number of facts and objections, because finding them is the exercise. */
export const presentPersona = (
  { deleted_at: _, objections, facts, background, traits, voice, ...persona }: PersonaRow,
  { isAuthor }: { isAuthor: boolean },
): Persona => ({
  ...persona,
  traits: traitsOf(traits),
  voice: voiceOf(voice),
  background: isAuthor ? background : null,
  objections: isAuthor ? objections : null,
  objection_count: objections.length,
  facts: isAuthor ? facts : null,
  fact_count: facts.length,
})
