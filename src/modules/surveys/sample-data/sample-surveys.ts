import type { NewSurvey } from '../design/survey-records/surveys.schemas.ts'

type SampleSurvey = { key: string; survey: NewSurvey; days: number; responses: number; isClosed: boolean }

export const sampleSurveys: SampleSurvey[] = [
  {
    key: 'survey:1',
    survey: {
      name: 'Customer loyalty',
      survey_type: 'nps',
      description: 'Asked every quarter.',
      intro: 'Two short questions about your experience with us.',
      thank_you: 'Thank you! We read every answer.',
    },
    days: 90,
    responses: 60,
    isClosed: false,
  },
  {
    key: 'survey:2',
    survey: { name: 'Support satisfaction', survey_type: 'csat', thank_you: 'Thank you for your feedback.' },
    days: 30,
    responses: 18,
    isClosed: false,
  },
  {
    key: 'survey:3',
    survey: {
      name: 'Onboarding experience',
      survey_type: 'nps',
      anonymous: true,
      intro: 'Your answers are anonymous.',
    },
    days: 60,
    responses: 14,
    isClosed: true,
  },
]

export const sampleReasons = [
  'Fast and friendly support.',
  'The reports save us hours every week.',
  'Setup took longer than expected.',
  'Good product, but the price went up.',
  'Our whole team uses it every day.',
  'I miss an integration with our phone system.',
]

export const draftSurvey: NewSurvey = {
  name: 'Product feedback',
  survey_type: 'custom',
  languages: ['en', 'de'],
  intro: { en: 'Help us decide what to build next.', de: 'Helfen Sie uns bei der Planung.' },
  questions: [
    {
      key: 'feature',
      question_type: 'single_choice',
      title: { en: 'Which area should we improve first?', de: 'Welchen Bereich sollen wir zuerst verbessern?' },
      required: true,
      options: [
        { key: 'reports', label: { en: 'Reports', de: 'Berichte' } },
        { key: 'mobile', label: { en: 'Mobile app', de: 'Mobile App' } },
        { key: 'integrations', label: { en: 'Integrations', de: 'Integrationen' } },
      ],
      rules: { allow_other: true },
    },
    {
      key: 'details',
      question_type: 'long_text',
      title: { en: 'What exactly would help you?', de: 'Was genau würde Ihnen helfen?' },
    },
  ],
}
