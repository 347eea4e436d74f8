"""What is done with each segment: the controller, the ranking, the plan and the reasons in words."""
