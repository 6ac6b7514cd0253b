/** Areas that notifications and the search link to, but that have no screen yet, by the first part of their path. */
export const laterAreas: ReadonlyMap<string, string> = new Map([
  ['accounts', 'Accounts'],
  ['contacts', 'Contacts'],
  ['campaigns', 'Campaigns'],
  ['segments', 'Segments'],
  ['content', 'Content'],
  ['rooms', 'Rooms'],
  ['community', 'Community'],
  ['surveys', 'Surveys'],
  ['usage', 'Product usage'],
  ['coaching', 'Coaching'],
  ['learning', 'Learning'],
  ['pitch', 'Pitch practice'],
  ['experts', 'Experts'],
])
