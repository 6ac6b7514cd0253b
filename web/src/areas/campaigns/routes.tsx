import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The pages read the parameters of their address themselves, so that the first load does not need to. */
export const campaignRoutes = <Root extends AnyRoute>(root: Root) => {
  const list = createRoute({
    getParentRoute: () => root,
    path: '/campaigns',
    component: lazyRouteComponent(() => import('./list/campaigns-page.tsx'), 'CampaignsPage'),
  })
  const record = createRoute({
    getParentRoute: () => root,
    path: '/campaigns/$campaignId',
    component: lazyRouteComponent(() => import('./record/campaign-page.tsx'), 'CampaignPage'),
  })
  return [list, record] as const
}
