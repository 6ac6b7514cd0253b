/** Areas that notifications link to, but that have no screen yet, by the first part of their path. */
export const laterAreas: ReadonlyMap<string, string> = new Map([
  ['accounts', 'Accounts'],
  ['contacts', 'Contacts'],
  ['campaigns', 'Campaigns'],
  ['segments', 'Segments'],
  ['content', 'Content'],
  ['rooms', 'Rooms'],
  ['community', 'Community'],
  ['surveys', 'Surveys'],
  ['learning', 'Learning'],
  ['pitch', 'Pitch practice'],
])
