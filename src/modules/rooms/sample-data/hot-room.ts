import { done, type SampleRoom, step } from './sample-room.ts'

export const hotRoom: SampleRoom = {
  key: 'room:1',
  deal: { key: 'opportunity:falconridge' },
  type: 'deal',
  nameOf: (account) => `Group contract for ${account}`,
  welcome:
    'Hello Paul, hello Julia,\n\nThis page has everything for the board decision on {{last_step}}: the offer we discussed, the security answers for Robert, and the plan we agreed on. If something is missing, write to me.',
  color: '#0e7a57',
  access: 'anyone',
  invitation: { label: 'Finance, legal and IT', access: 'verified_email' },
  sections: [
    { title: 'Offer', description: 'What we discussed, with prices for three regions.' },
    { title: 'Security and IT', description: 'For Robert and the security review.' },
    { title: 'What others say' },
  ],
  items: [
    { section: 0, content: 18, title: 'Proposal' },
    { section: 0, content: 19, title: 'Contract draft', description: 'Second draft, with two open points.' },
    {
      section: 0,
      link: 'https://calculator.example',
      title: 'Price calculator',
      description: 'Change users and regions, and see the price per year.',
    },
    { section: 1, content: 8 },
    { section: 1, content: 20 },
    { section: 2, content: 4, title: 'Customer story: Northgate' },
    {
      section: 2,
      title: 'How we work with you',
      text: 'You talk to one person until the contract is signed. After that, Marcus Reid leads the rollout and stays your contact for the first year.',
    },
  ],
  plan: [
    step('Kick-off with finance', 'seller', -28, done),
    step('Demo for finance', 'seller', -21, done),
    step('List of requirements', 'buyer', -18, { ...done, assignee: 'Paul Griffin' }),
    step('Security review', 'buyer', -5, { ...done, assignee: 'Robert Marshall' }),
    step('Offer with prices', 'seller', -4, done),
    step('Legal comments on the contract', 'buyer', 1, { assignee: 'Julia Fontaine' }),
    step('Final contract', 'seller', 3),
    step('Board decision', 'buyer', 7, { assignee: 'Paul Griffin' }),
  ],
  interest: 0.85,
  visitors: 3,
  anonymousVisitors: 4,
  lastVisitHours: 2,
  periods: [
    { visits: 18, fromDay: 38, toDay: 22 },
    { visits: 28, fromDay: 21, toDay: 8 },
    { visits: 37, fromDay: 7, toDay: 0 },
  ],
}
