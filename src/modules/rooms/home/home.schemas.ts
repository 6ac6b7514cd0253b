import { type Static, Type } from 'typebox'
import { Id, nullable, strict, Timestamp } from '#platform/schema'

export const maxHomeVisits = 6

export const HomeRooms = strict({
  items: Type.Array(
    strict({
      room: strict({ id: Id, name: Type.String(), band: Type.Enum(['hot', 'warm', 'cool', 'cold']) }),
      visitor: strict({
        name: nullable(
          Type.String({
            description: 'Name, or with the scope `contacts.read` the email address; null for anonymous visitors.',
          }),
        ),
        identity: Type.Enum(['anonymous', 'claimed', 'verified']),
      }),
      title: Type.String({
        description: 'What the visitor read longest; the name of the room if the visitor opened nothing.',
      }),
      seconds: Type.Integer({ minimum: 0, description: 'Active time of the visit.' }),
      at: { ...Timestamp, description: 'Last activity of the visitor.' },
    }),
    { maxItems: maxHomeVisits, description: 'Visits from outside to rooms of the user, the last first.' },
  ),
})
export type HomeRooms = Static<typeof HomeRooms>
