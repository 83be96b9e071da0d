import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Failure } from '../../ui/index.ts';

/**
 * Catches what a screen could not draw, so that the rail and the other screens stay usable. `place` is the key of
 * what is shown: going elsewhere clears the error.
 */
export class ErrorBoundary extends Component<
  { place: string; children: ReactNode },
  { thrown: unknown; place: string }
> {
  override state: { thrown: unknown; place: string } = { thrown: null, place: this.props.place };

  static getDerivedStateFromError(thrown: unknown): { thrown: unknown } {
    return { thrown };
  }

  static getDerivedStateFromProps(
    props: { place: string },
    state: { thrown: unknown; place: string },
  ): { thrown: unknown; place: string } | null {
    return props.place === state.place ? null : { thrown: null, place: props.place };
  }

  override componentDidCatch(thrown: unknown): void {
    console.error('A screen could not be drawn', thrown);
  }

  override render(): ReactNode {
    if (this.state.thrown === null) return this.props.children;
    return (
      <div style={{ padding: 24 }}>
        <Failure
          error={this.state.thrown}
          meaning="This screen could not be drawn. Nothing that is stored was changed; the other screens still work."
          onRetry={() => this.setState({ thrown: null })}
          actions={
            <Button variant="default" onClick={() => window.location.reload()}>
              Reload the window
            </Button>
          }
        />
      </div>
    );
  }
}
