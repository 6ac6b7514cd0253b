import { type Static, Type } from 'typebox'
import {
  clearable,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'

export const personaStyles = ['analytical', 'driver', 'amiable', 'expressive'] as const
export type PersonaStyle = (typeof personaStyles)[number]
export const practiceLanguages = ['en', 'de', 'fr', 'es', 'pt'] as const
export type PracticeLanguage = (typeof practiceLanguages)[number]

export const ItemKey = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', maxLength: 40, examples: ['price'] })
export const Phrase = Line(100)
const Phrases = (maxItems: number, minItems = 0) => Type.Array(Phrase, { minItems, maxItems })
const Lines = Type.Array(Line(200), { maxItems: 10 })

const Trait = Type.Integer({ minimum: 1, maximum: 5 })
export const Traits = strict({
  patience: Trait,
  skepticism: Trait,
  talkativeness: Trait,
  technical_depth: Trait,
  price_sensitivity: Trait,
})
export type Traits = Static<typeof Traits>

export const Objection = strict({
  key: ItemKey,
  topic: Line(60),
  text: Line(300),
  triggers: Phrases(10),
  good_responses: Phrases(15),
  severity: Type.Integer({ minimum: 1, maximum: 3 }),
})
export type Objection = Static<typeof Objection>

export const Fact = strict({
  key: ItemKey,
  topic: Line(60),
  text: Line(300),
  reveal_keywords: Phrases(10, 1),
  suggested_question: nullable(Type.String({ maxLength: 300 })),
})
export type Fact = Static<typeof Fact>

const Speed = Type.Number({ minimum: 0.7, maximum: 1.3 })
export const Voice = strict({ name: nullable(Type.String({ maxLength: 60 })), speed: Speed })
export type Voice = Static<typeof Voice>

const count = Type.Integer({ minimum: 0 })
const authorsOnly = 'Null unless the caller is a manager or an admin.'

export const Persona = named(
  'CoachingPersona',
  strict({
    id: Id,
    name: Type.String(),
    job_title: Type.String(),
    company_profile: nullable(Type.String()),
    industry: nullable(Type.String()),
    style: Type.Enum([...personaStyles]),
    language: Type.Enum([...practiceLanguages]),
    avatar_item_id: nullable(Id),
    traits: Traits,
    background: nullable(Type.String({ description: authorsOnly })),
    goals: Type.Array(Type.String()),
    pains: Type.Array(Type.String()),
    opening_line: nullable(Type.String()),
    objections: nullable(Type.Array(Objection, { description: authorsOnly })),
    objection_count: count,
    facts: nullable(Type.Array(Fact, { description: authorsOnly })),
    fact_count: count,
    voice: Voice,
    is_active: Type.Boolean(),
    is_system: Type.Boolean({ description: 'Created with the workspace.' }),
    created_by: nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Persona = Static<typeof Persona>

const traitInput = Type.Optional(Trait)
const TraitInput = strict({
  patience: traitInput,
  skepticism: traitInput,
  talkativeness: traitInput,
  technical_depth: traitInput,
  price_sensitivity: traitInput,
})

const ObjectionInput = strict({
  key: ItemKey,
  topic: Line(60),
  text: { ...Line(300), description: 'What the buyer says.' },
  triggers: Type.Optional({ ...Phrases(10), description: 'The buyer objects when the seller says one of these.' }),
  good_responses: Type.Optional({ ...Phrases(15), description: 'Phrases that handle the objection.' }),
  severity: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: 'Default: 2.' })),
})

const FactInput = strict({
  key: ItemKey,
  topic: Line(60),
  text: { ...Line(300), description: 'What the buyer says when asked for it.' },
  reveal_keywords: { ...Phrases(10, 1), description: 'A question with one of these reveals the fact.' },
  suggested_question: clearable(Type.String({ maxLength: 300 })),
})

const optionalFields = {
  company_profile: clearable(Type.String({ maxLength: 1_000 })),
  industry: clearable(Type.String({ maxLength: 60 })),
  language: Type.Optional(Type.Enum([...practiceLanguages], { description: 'Default: `en`.' })),
  avatar_item_id: clearable({ ...Id, description: 'A content item with a picture.' }),
  traits: Type.Optional({ ...TraitInput, description: 'From 1 to 5; 3 unless set.' }),
  background: clearable(Type.String({ maxLength: 4_000 })),
  goals: Type.Optional(Lines),
  pains: Type.Optional(Lines),
  opening_line: clearable(Type.String({ maxLength: 300 })),
  objections: Type.Optional(Type.Array(ObjectionInput, { maxItems: 15 })),
  facts: Type.Optional(Type.Array(FactInput, { maxItems: 15 })),
  voice: Type.Optional(strict({ name: clearable(Type.String({ maxLength: 60 })), speed: Type.Optional(Speed) })),
  is_active: Type.Optional(Type.Boolean()),
}

const Name = Line(80)
const JobTitle = Line(120)
const Style = Type.Enum([...personaStyles])

export const NewPersona = withExample(strict({ name: Name, job_title: JobTitle, style: Style, ...optionalFields }), {
  name: 'Dana Reyes',
  job_title: 'Head of Operations',
  style: 'analytical',
  goals: ['Reduce manual work'],
  objections: [{ key: 'price', topic: 'price', text: 'That is more than we planned.', good_responses: ['savings'] }],
  facts: [{ key: 'tool', topic: 'current tool', text: 'We use spreadsheets.', reveal_keywords: ['today', 'tool'] }],
})
export type NewPersona = Static<typeof NewPersona>

export const PersonaChanges = strict({
  name: Type.Optional(Name),
  job_title: Type.Optional(JobTitle),
  style: Type.Optional(Style),
  ...optionalFields,
})
export type PersonaChanges = Static<typeof PersonaChanges>

export const PersonaFilter = listQuery({
  include_inactive: Type.Boolean({ default: false }),
  sort: sortOrder(['name', '-name']),
})
export type PersonaFilter = Static<typeof PersonaFilter>

export const PersonaParams = strict({ persona_id: Id })
