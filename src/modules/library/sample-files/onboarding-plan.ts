/** A text document that customers edit themselves. */
export const onboardingPlan = `# Onboarding plan: first 30 days

## Week 1: kick-off

- Kick-off with the project team, 90 minutes
- Single sign-on with your identity provider
- Import of accounts and open deals, first run

## Week 2: pipeline workshop

- Stages, required fields and reasons for lost deals
- Second run of the import, checked by two sellers per region
- Decision about the spreadsheets that end

## Week 3: training

- Sellers in groups of ten, two hours each
- Managers: forecast call with live data
- Questions and answers every day at 16:00

## Week 4: first forecast call

- Forecast call without spreadsheets
- Review: what works, what is missing, who decides
- Handover to customer success

| Role | You | We |
|---|---|---|
| Sponsor | Chief Revenue Officer | Head of Customer Success |
| Project lead | Head of Sales Operations | Customer Success Manager |
| Technology | IT administrator | Solution engineer |
`
