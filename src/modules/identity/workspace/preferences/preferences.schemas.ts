import { type Static, Type } from 'typebox'
import { Line, named, nullable, strict } from '#platform/schema'

const Focus = Type.Enum(['sell', 'market', 'enable', 'train', 'support', 'operate'], {
  description: 'Work whose groups the navigation shows open; null if the user has not chosen one.',
})

const View = strict({
  name: Type.String({ minLength: 1, maxLength: 80, description: 'Name that the user gave the view.' }),
  search: Type.String({ maxLength: 2_000, description: 'Query of the page of the list, such as `status=new`.' }),
})

const List = strict({
  columns: Type.Array(Line(80), { maxItems: 60, description: 'Keys of the shown columns, in their order.' }),
  views: Type.Array(View, { maxItems: 20, description: 'Filters and orders that the user stored under a name.' }),
})

const Lists = Type.Record(Type.String({ pattern: '^[a-z][a-z_]{0,39}$' }), List, {
  maxProperties: 20,
  additionalProperties: false,
  description: 'Columns and own views by the key of the list.',
})

const navigationFields = {
  focus: nullable(Focus),
  pinned: Type.Array(Line(400), {
    maxItems: 12,
    uniqueItems: true,
    description: 'Pinned pages in their order. The web application stores the path, a space and the name of the page.',
  }),
  collapsed: Type.Array(Line(40), {
    maxItems: 12,
    uniqueItems: true,
    description: 'Groups of the navigation that the user opened or closed against the focus.',
  }),
}
const version = Type.Integer({ minimum: 0, description: 'Number of the last change; 0 before the first.' })

export const ReplacedPreferences = Type.Object(
  { ...navigationFields, lists: Lists },
  {
    additionalProperties: false,
    examples: [
      {
        focus: 'market',
        pinned: ['/segments Segments'],
        collapsed: ['sell'],
        lists: { leads: { columns: ['name', 'status'], views: [{ name: 'New ones', search: 'status=new' }] } },
      },
    ],
  },
)
export type ReplacedPreferences = Static<typeof ReplacedPreferences>

export const Preferences = named('Preferences', strict({ ...navigationFields, lists: Lists, version }))
export type Preferences = Static<typeof Preferences>

/** Without the lists, because clients read it with the user every minute. */
export const NavigationPreferences = strict({ ...navigationFields, version })
export type NavigationPreferences = Static<typeof NavigationPreferences>
